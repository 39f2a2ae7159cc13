/** Looks again and again, each time a while after the look before has ended. Returns what ends it. */
export function poll(look: () => Promise<void>, everyMs: number): () => void {
  let isEnded = false;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(() => void look().finally(() => isEnded || wait()), everyMs).unref();
  };
  wait();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
