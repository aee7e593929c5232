// XINF-001: time zone, locale and calendar are the same on every host
const zone = Intl.DateTimeFormat().resolvedOptions();
const date = new Date(2024, 0, 1);
const shown = [zone.timeZone, zone.locale, date.getTimezoneOffset(), date.toISOString(), Temporal.Now.timeZoneId(), (1234.5).toLocaleString(), new Date(0).toString()].join("|");
return shown === "UTC|en-US|0|2024-01-01T00:00:00.000Z|UTC|1,234.5|Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)" ? "SAFE" : "ESCAPED " + shown;