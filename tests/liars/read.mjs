// What the browser's reader says of records: one text a line in, "ok" or the refusal a line out.
import { readFileSync } from 'node:fs';

const { parseRecord } = await import('../../rngd/web/verify/records.js');
const { Refused } = await import('../../rngd/web/verify/refused.js');

for (const text of readFileSync(0, 'utf8').split('\n').slice(0, -1)) {
  try {
    parseRecord(text, 'record');
    console.log('ok');
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.log(error.message.replaceAll('\n', ' '));
  }
}
