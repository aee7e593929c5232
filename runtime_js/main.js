/**
 * The worker: says hello, takes one program after the other, leaves when its input ends.
 *
 * Every step is the same: block for one frame, deliver it, let all microtasks run in one turn of
 * the event loop, report. One answer a turn makes the order a program sees the order the host
 * sent. This is the only module that acts; the others are put to use here.
 */

import { findBreach } from "./attest.js";
import { openChannel } from "./channel.js";
import { checker } from "./compile.js";
import { prepareRealm } from "./realm.js";
import { compileProgram } from "./recover.js";
import { warmUp } from "./warmup.js";

const PROTOCOL = 1;

const HELLO = 1;
const READY = 2;
const IDLE = 8;
const START = 16;
const SETTLE = 17;
const ANSWER = 18;
const WARM = 19;

const nextTurn = setImmediate;
const breach = findBreach();
const channel = openChannel();
if (breach !== undefined) channel.fail(`the process can ${breach}`);
const idleFrame = channel.build(IDLE, [0]);

let realm = prepareRealm(channel.send);
let runs = 0;
let isRunning = false;
let delivered = 0;

sayHello();
ready();
watchRejections();
checker();
nextTurn(step);

function sayHello() {
  // What `Intl.DateTimeFormat` would say, which takes 10 ms and more when it is first used.
  const timeZone = Temporal.Now.timeZoneId();
  const { locale } = new Intl.PluralRules().resolvedOptions();
  const { deno, v8 } = channel.versions;
  channel.announce(HELLO, [PROTOCOL, deno, v8, timeZone, locale]);
}

function ready() {
  channel.announce(READY, [runs]);
}

function step() {
  const frame = channel.receive(realm.room);
  if (frame === null) return channel.leave();
  try {
    deliver(frame.kind, frame.length);
  } catch (error) {
    channel.fail(`a frame could not be taken: ${error}`);
  }
}

/**
 * @param {number} kind
 * @param {number} length
 */
function deliver(kind, length) {
  if (isRunning && (kind === SETTLE || kind === ANSWER)) {
    realm.guest.settle(kind, length);
    delivered++;
    nextTurn(report);
  } else if (!isRunning && kind === START) {
    isRunning = true;
    delivered = 0;
    start(length);
    nextTurn(report);
  } else if (!isRunning && kind === WARM) {
    warmUp(nextTurn, () => {
      ready();
      step();
    });
  } else {
    channel.fail(`a frame of kind ${kind} is out of place`);
  }
}

/** @param {number} length */
function start(length) {
  const { guest } = realm;
  const source = guest.open(length);
  const compiled = compileProgram(source, { start: guest.codeStart(), end: guest.codeEnd() });
  if ("refusal" in compiled) {
    const { message, line, column } = compiled.refusal;
    return guest.refuse(message, line, column);
  }
  compiled.notes.forEach(guest.note);
  realm.run(compiled.script, compiled.valueNote);
}

/** Every microtask has run: tell the host, or get ready for the next program. */
function report() {
  if (realm.guest.turn()) return nextTurn(renew);
  reportIdle();
  nextTurn(step);
}

/** One a turn, so the frame is made once and only its number changes. */
function reportIdle() {
  const end = idleFrame.length;
  idleFrame[end - 4] = delivered >>> 24;
  idleFrame[end - 3] = delivered >>> 16;
  idleFrame[end - 2] = delivered >>> 8;
  idleFrame[end - 1] = delivered;
  channel.send(idleFrame, 0, end);
}

/** One turn after the end, so that late rejections still meet the realm they belong to. */
function renew() {
  realm = prepareRealm(channel.send);
  isRunning = false;
  runs++;
  ready();
  nextTurn(step);
}

/**
 * Only once the worker is ready: before that a rejection is a fault of the runtime and must end
 * the process with Deno's own message.
 */
function watchRejections() {
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    // Not `instanceof`: the prototypes of a program's promise may be proxies.
    if (Object.getPrototypeOf(event.promise) === Promise.prototype) {
      channel.fail(`unhandled rejection in the runtime: ${event.reason}`);
    }
    realm.guest.noteUnhandled(event.promise, event.reason);
  });
  addEventListener("rejectionhandled", (event) => {
    realm.guest.noteHandled(event.promise);
  });
}
