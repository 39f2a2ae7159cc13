import { ENDPOINTS, type EndpointName, type ParameterName } from '../../data/query/endpoint.ts';
import type { ProblemCode } from '../../data/query/problem.ts';

/**
 * Which requests may get an error: any at all; any of the interface; those for one product; those of an endpoint that
 * takes one of the parameters; those to what is beside the interface.
 */
type Scope = 'anything' | 'interface' | 'product' | 'beside' | readonly ParameterName[];

const SCOPES: Readonly<Record<ProblemCode, Scope>> = {
  'unknown-path': 'beside',
  'unknown-product': 'product',
  'method-not-allowed': 'anything',
  'missing-key': 'interface',
  'invalid-key': 'interface',
  'expired-key': 'interface',
  'operator-only': 'beside',
  'rate-limited': 'interface',
  'invalid-request': 'interface',
  'unknown-parameter': 'interface',
  'repeated-parameter': ['filter', 'expand', 'fields', 'limit', 'sort', 'cursor'],
  // Broken percent-encoding is one, whatever the endpoint takes.
  'malformed-value': 'interface',
  'unknown-value': ['filter', 'expand', 'fields', 'limit', 'sort'],
  'out-of-range': ['filter', 'limit'],
  'incomplete-image-selection': ['fields'],
  'invalid-cursor': ['cursor'],
  'repeated-header': 'anything',
  'too-many-deals': ['limit'],
  'snapshot-expired': ['cursor'],
  'target-too-long': 'anything',
  'internal-error': 'anything',
  'no-snapshot': 'interface',
  overloaded: 'anything',
};

const CODES = Object.keys(SCOPES) as readonly ProblemCode[];

/** The errors that a request to an endpoint may get. */
export function listEndpointProblems(endpoint: EndpointName): readonly ProblemCode[] {
  const parameters: readonly ParameterName[] = ENDPOINTS.find(({ name }) => name === endpoint)?.parameters ?? [];
  return CODES.filter((code) => {
    const scope = SCOPES[code];
    if (scope === 'anything' || scope === 'interface') return true;
    if (scope === 'product') return endpoint === 'product';
    return typeof scope !== 'string' && scope.some((parameter) => parameters.includes(parameter));
  });
}

/** The errors that a request to what is beside the interface may get, and those that only some of it answer. */
export function listSiteProblems(...besides: readonly ProblemCode[]): readonly ProblemCode[] {
  return CODES.filter((code) => SCOPES[code] === 'anything' || besides.includes(code));
}
