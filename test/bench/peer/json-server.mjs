import { createRequire } from 'node:module';

// `node json-server.mjs <db.json>`: json-server as its command sets it up, but read-only, without its log, on a free port.

const jsonServer = createRequire(import.meta.url)('json-server');

const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false, readOnly: true }));
app.use(jsonServer.router(process.argv[2]));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
