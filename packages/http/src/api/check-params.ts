import { StagecraftError } from '@stagecraft/spec'

/** No id, name or path of the service is longer. */
const LONGEST = 1000

/**
 * Lets through what can be an id or a name, of the caller's own project.
 *
 * @throws {StagecraftError} NOT_FOUND, in the same words for a project of somebody else and for none at all.
 */
export function checkParams(params: Readonly<Record<string, string>>, projectId: string | undefined): void {
  const asked = params['projectId']
  if (asked !== undefined && asked !== projectId) throw StagecraftError.unknownId('project', asked)
  for (const [name, value] of Object.entries(params)) {
    if (value.length <= LONGEST && !/\p{Cc}/u.test(value)) continue
    const path = name === '*' ? 'path' : name
    throw StagecraftError.unknownId(path.replace(/Id$/, ''), value, path)
  }
}
