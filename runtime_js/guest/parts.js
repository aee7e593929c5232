/**
 * The functions that make up the guest runtime, by name. `bootstrap.js` turns them into text.
 */

import { capturePrimordials } from "./primordials.js";
import { connectHost } from "./host_link.js";
import { deferTemporal } from "./temporal.js";
import { foreignNames } from "./foreign_names.js";
import { lockDown } from "./lockdown.js";
import { makeAdvice } from "./advice.js";
import { makeApi } from "./api.js";
import { makeCalls } from "./calls.js";
import { makeConsole } from "./console.js";
import { makeEncoder } from "./encoder.js";
import { makeEnding } from "./ending.js";
import { makeErrors } from "./errors.js";
import { makeFormat } from "./format.js";
import { makeImage } from "./image.js";
import { makeJson } from "./json.js";
import { makeLabels } from "./labels.js";
import { makeLedger } from "./ledger.js";
import { makeModels } from "./models.js";
import { makeNearest } from "./nearest.js";
import { makeOutput } from "./output.js";
import { makeReadable } from "./readable.js";
import { makeReader } from "./reader.js";
import { makeRun } from "./run.js";
import { makeStore } from "./store.js";
import { makeTable } from "./table.js";
import { makeTools } from "./tools.js";
import { makeTraces } from "./traces.js";
import { makeValues } from "./values.js";
import { makeWalks } from "./walk.js";
import { makeWriter } from "./writer.js";

export const PARTS = {
  capturePrimordials,
  connectHost,
  deferTemporal,
  foreignNames,
  lockDown,
  makeAdvice,
  makeApi,
  makeCalls,
  makeConsole,
  makeEncoder,
  makeEnding,
  makeErrors,
  makeFormat,
  makeImage,
  makeJson,
  makeLabels,
  makeLedger,
  makeModels,
  makeNearest,
  makeOutput,
  makeReadable,
  makeReader,
  makeRun,
  makeStore,
  makeTable,
  makeTools,
  makeTraces,
  makeValues,
  makeWalks,
  makeWriter,
};
