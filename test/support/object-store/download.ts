import { unpackCeph } from './ceph.ts';

// Run by CI, so that no test waits for the download.
const folder = await unpackCeph();
if (folder !== undefined) process.stdout.write(`the packages of the object store are unpacked in ${folder}\n`);
