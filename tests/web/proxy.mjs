// A client's certificate in front of an appliance, for a browser that has none: plain HTTP on this
// machine, TLS with the certificate behind. Every answer is passed on as it is; of a question only
// the name of the page's own server is put right, as if the browser had spoken TLS itself.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';

const clean = (headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) =>
  value !== undefined));

/// Listens; the address. `folder`: a development set of `talla keys init`; `id`: who is logged in;
/// null: nobody, at the public listener.
export function proxy(folder, port, id) {
  const tls = { ca: readFileSync(`${folder}/ca.pem`), ...(id === null ? {}
    : { cert: readFileSync(`${folder}/clients/${id}.pem`),
      key: readFileSync(`${folder}/clients/${id}.key`) }) };
  const server = createServer((asked, reply) => {
    const { host, ...headers } = asked.headers;
    for (const name of ['origin', 'referer']) {
      headers[name] &&= headers[name].replace(`http://${host}`, `https://localhost:${port}`);
    }
    const beyond = request({ host: 'localhost', port, path: asked.url, method: asked.method,
      headers: { ...clean(headers), host: `localhost:${port}` }, ...tls }, (answer) => {
      reply.writeHead(answer.statusCode, answer.headers);
      answer.pipe(reply);
    });
    beyond.on('error', () => reply.destroy());
    reply.on('close', () => beyond.destroy());
    asked.pipe(beyond);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ server, base: `http://localhost:${server.address().port}` });
    });
  });
}
