import { describe, expect, it } from 'vitest';
import { writeAcceptCommand, writeBuildCommand, type GivenOptions } from '../../../build/report/build-command.ts';
import type { GateResult } from '../../../data/report/report.ts';

const gate = (name: string, state: GateResult['state']): GateResult => ({ gate: name, state, detail: 'x' });

describe('the command that builds again', () => {
  it.each<[GivenOptions, string]>([
    [{}, 'deals build'],
    [{ config: 'sub/cat.json' }, 'deals build --config sub/cat.json'],
    [{ store: 'dist/catalogue' }, 'deals build --store dist/catalogue'],
    [{ config: 'my shop/cat.json' }, "deals build --config 'my shop/cat.json'"],
    [{ store: "Ann's $HOME" }, String.raw`deals build --store 'Ann'\''s $HOME'`],
    [{ store: '' }, "deals build --store ''"],
    [{ now: new Date('2026-11-21T00:00:00Z') }, 'deals build --now 2026-11-21T00:00:00.000Z'],
  ])('of %j is %s', (given, command) => {
    expect(writeBuildCommand(given)).toBe(command);
  });
});

describe('the command that publishes all the same', () => {
  it('accepts what is refused, and what was accepted before', () => {
    const gates = [gate('lost-deals:house', 'refused'), gate('currency', 'accepted'), gate('lost-products', 'passed')];
    expect(writeAcceptCommand({ config: 'c.json', accept: ['currency'] }, gates)).toBe(
      'deals build --config c.json --accept currency --accept lost-deals:house',
    );
  });

  it('is none where nothing is refused', () => {
    expect(writeAcceptCommand({}, [gate('currency', 'accepted')])).toBeUndefined();
  });
});
