/** What an app serves of the two base addresses of the contract. */
export type Serve = 'all' | 'generate' | 'api' | 'none'

export function servesGenerate(serve: Serve): boolean {
  return serve === 'all' || serve === 'generate'
}

export function servesApi(serve: Serve): boolean {
  return serve === 'all' || serve === 'api'
}
