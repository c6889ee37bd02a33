/** A connection that the policy forbids. Says nothing of where it would have gone. */
export class UnsafeAddress extends Error {
  readonly code = 'UNSAFE_ADDRESS'

  constructor() {
    super('the host leads to an address that is not open')
    this.name = 'UnsafeAddress'
  }
}
