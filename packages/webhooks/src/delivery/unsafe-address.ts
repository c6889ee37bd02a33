/** The error of a connection that the policy forbids. It does not name the address. */
export class UnsafeAddress extends Error {
  readonly code = 'UNSAFE_ADDRESS'

  constructor() {
    super('the host resolves to an address that the policy blocks')
    this.name = 'UnsafeAddress'
  }
}
