/** What is known of a server that is to be shown to somebody. */
export interface Shown {
  readonly url: string;
  readonly metricsUrl?: string | undefined;
  /** A key that the pages may take from the address, which is never sent to the server. */
  readonly keyText?: string;
}

/** Where things are, a line each. */
export function describeAddresses({ url, metricsUrl, keyText }: Shown): readonly string[] {
  const key = keyText === undefined ? '' : `#key=${keyText}`;
  const addresses: readonly (readonly [string, string])[] = [
    ['explore', `${url}/explore/${key}`],
    ['reference', `${url}/docs/${key}`],
    ['status', `${url}/status/${key}`],
    ['problems', `${url}/problems/`],
    ['health', `${url}/health/ready`],
    ['interface', `${url}/deals/v1/products/`],
    ...(metricsUrl === undefined ? [] : [['metrics', metricsUrl] as const]),
  ];
  return addresses.map(([name, address]) => `  ${name.padEnd(9)}  ${address}`);
}
