/** What arrives in place of a feed. */
export const BODIES: Record<string, string> = {
  'a login page':
    '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form action="/login"></form></body></html>\n',
  'a page without a doctype':
    '<html>\n<head><title>503 Service Unavailable</title></head>\n<body>try later</body></html>\n',
  'a page after white space': '\n\n   <!doctype html><html lang="en"><body>Maintenance</body></html>',
  'a JSON error': '{"error":"unauthorized","message":"the API key has expired"}\n',
  'a JSON error over lines': '{\n  "error": {\n    "code": 429,\n    "message": "rate limit"\n  }\n}\n',
  'a JSON error list': '[{"error":"feed is being generated"}]\n',
  'an empty JSON object': '{}\n',
  'an empty JSON list': '[]\n',
  'a JSON null': 'null\n',
  'an XML error':
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>\n',
  'a SOAP fault':
    '<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault><faultstring>timeout</faultstring></soap:Fault></soap:Body></soap:Envelope>',
  'a message of PHP':
    '<br />\n<b>Fatal error</b>:  Allowed memory size exhausted in <b>export.php</b> on line <b>214</b><br />\n',
  'a message of a database': 'ERROR 2006 (HY000) at line 1: MySQL server has gone away\n',
  'a sentence': 'Feed is currently being generated, please try again in a few minutes.\n',
  'a message of an FTP server': '550 Failed to open file.\n',
  'a pointer of Git LFS':
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 472412\n',
  nothing: '',
  'white space': '\n \n\t\n',
  'a line end': '\n',
  'a BOM': '\uFEFF',
  'zero bytes': '\0'.repeat(4096),
};
