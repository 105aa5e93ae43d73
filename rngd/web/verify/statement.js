// The statement that binds a log's key to certificates (FORMAT.md, section 5).
import { unbase64 } from './bytes.js';
import { parse } from './json.js';
import { need } from './refused.js';
import { isBase64, isBoolean, isFilled, oneOf, shape } from './shapes.js';

export function parseStatement(text) {
  const statement = parse(text);
  shape(statement, {
    v: oneOf(2), type: oneOf('talla-log-key'), origin: isFilled, public: isBase64,
    development: isBoolean,
  }, { previous: isBase64 });
  const keys = [statement.public, statement.previous ?? statement.public];
  need(keys.every((key) => unbase64(key).length === 32), 'a key has 32 bytes');
  need(statement.previous !== statement.public, 'a log key that follows itself');
  return statement;
}
