// XTHR-009: the reasons of the host as class, name and constructor of what is thrown
class OutputTooLarge extends Error { constructor() { super("mine"); this.name = "OutputTooLarge"; this.reason = "Memory"; this.how = "too_large"; this.status = "completed"; } }
throw new OutputTooLarge();