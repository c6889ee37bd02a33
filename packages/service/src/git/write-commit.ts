import { commitMessage } from './commit-message.ts'
import type { PlannedWrite } from './plan-commit.ts'
import type { PushOptions } from './push-options.ts'
import type { Git } from './run-git.ts'

export interface CommitOptions extends Pick<PushOptions, 'author' | 'message' | 'trailers'> {
  readonly writes: readonly PlannedWrite[]
  /** Paths of files. */
  readonly removed: readonly string[]
  /** The commit to build on; undefined for a first one. */
  readonly parent: string | undefined
  readonly time: number
}

/**
 * Writes a commit into the clone. One process for any number of files, which reads only the folders that they are in;
 * and no file of the clone is touched, so that filters, line ends and links of the repository do nothing.
 *
 * @see https://git-scm.com/docs/git-fast-import
 */
export async function writeCommit(git: Git, options: CommitOptions): Promise<string> {
  const output = await git.read(['fast-import', '--quiet', '--force', '--done', '--date-format=raw'], {
    input: Buffer.concat(importStream(options)),
  })
  return output.trim()
}

function importStream(options: CommitOptions): readonly Buffer[] {
  const { author, parent, removed, time, writes } = options
  const who = `${author.name.trim()} <${author.email.trim()}> ${Math.floor(time / 1000)} +0000`
  const text = (lines: string): Buffer => Buffer.from(lines)
  return [
    text(`commit refs/stagecraft/commit\nmark :1\nauthor ${who}\ncommitter ${who}\n`),
    data(Buffer.from(commitMessage(options))),
    text(parent === undefined ? '' : `from ${parent}\n`),
    ...removed.map((path) => text(`D ${quote(path)}\n`)),
    ...writes.flatMap(({ file, mode }) => [
      text(`M ${mode} inline ${quote(file.path)}\n`),
      data(file.content),
    ]),
    text('\nget-mark :1\ndone\n'),
  ]
}

function data(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')])
}

/** Control characters are in no path. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`
}
