/** The base addresses of the contract that an app serves. */
export type Serve = 'all' | 'generate' | 'api' | 'none'

export function servesGenerate(serve: Serve): boolean {
  return serve === 'all' || serve === 'generate'
}

export function servesApi(serve: Serve): boolean {
  return serve === 'all' || serve === 'api'
}
