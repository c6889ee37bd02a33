/** The reason that a run is aborted with when nobody waits for its answer any more. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}
