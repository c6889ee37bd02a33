import type { ApiFixtures } from '../../packages/llm/src/testing/api-fixtures.ts'

/** The stream of an API in which the model looks up where `fct_orders` is used. */
export function lookUpFrames({ toolStream }: ApiFixtures): readonly string[] {
  return toolStream.map((frame) =>
    frame
      .replaceAll('list_columns', 'find_uses')
      .replaceAll('table', 'id')
      .replaceAll('orders', 'fct_orders'),
  )
}
