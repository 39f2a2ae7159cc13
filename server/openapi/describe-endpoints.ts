import { ENDPOINT_TEXTS, ENDPOINTS, type EndpointName, type ParameterName } from '../../data/query/endpoint.ts';
import { EXAMPLE_REQUESTS, type ExampleRequest } from '../../data/query/example.ts';
import { answerComponent } from '../../data/schema/answer.ts';
import { describeReadAnswers, describeRefusals } from './describe-answers.ts';
import { referToParameters } from './describe-parameters.ts';
import { listEndpointProblems } from './problem-scope.ts';
import { refer, type Json } from './reference.ts';

/** The paths of the interface. */
export function describeEndpoints(): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    ENDPOINTS.map(({ name, path, parameters }) => [
      path.replace('<id>', '{id}'),
      { get: describeEndpoint(name, parameters) },
    ]),
  );
}

function describeEndpoint(name: EndpointName, parameters: readonly ParameterName[]): Json {
  const { operation, group, summary, description, answer } = ENDPOINT_TEXTS[name];
  const schema = refer('schemas', answerComponent(name === 'product' ? 'products' : name));
  return {
    operationId: operation,
    tags: [group],
    summary,
    description,
    parameters: referToParameters(name),
    responses: {
      ...describeReadAnswers(answer, schema, parameters.includes('cursor')),
      ...describeRefusals(listEndpointProblems(name), 'interface'),
    },
    'x-examples': EXAMPLE_REQUESTS[name],
    'x-codeSamples': EXAMPLE_REQUESTS[name].map((example) => ({
      lang: 'Shell',
      label: example.summary,
      source: writeCurl(example),
    })),
  };
}

/** A line for a shell in which `BASE` is the address of the service and `KEY` a key. */
function writeCurl({ target }: ExampleRequest): string {
  return `curl -g -H "x-api-key: $KEY" "$BASE${target}"`;
}
