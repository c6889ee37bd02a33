import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseConfig } from '@stagecraft/core'
import { printConfig } from '@stagecraft/dbt'
import { escapeForTerminal, StagecraftError } from '@stagecraft/spec'
import { writeNewConfig } from '../files/schema-reference.ts'
import { openProject } from '../project/open-project.ts'
import { proposeConfig } from '../project/propose-config.ts'
import { paint } from '../terminal/paint.ts'
import { heading, print } from '../terminal/print.ts'
import { type CatalogFlags, withCatalogIfAny } from './shared-flags.ts'

export interface InitFlags extends CatalogFlags {
  readonly yes?: boolean
  readonly projectDir: string
}

const FILE = 'stagecraft.yml'

/** `stagecraft init`: proposes a `stagecraft.yml` for the project and warehouse; writes it with `--yes`. */
export async function initCommand(flags: InitFlags): Promise<void> {
  const project = await openProject(flags.projectDir, flags)
  if (!project.index) throw outside(project.root)
  const file = join(project.root, FILE)
  if (existsSync(file)) throw present(file)
  const { comments, config, seen } = await withCatalogIfAny(flags, (sight) => proposeConfig(project, sight), {
    project,
    without: 'only files are read, no warehouse',
  })
  for (const line of seen) print(escapeForTerminal(line))
  const text = printConfig(config, comments)
  parseConfig(text, FILE)
  const shown = relative('.', file) || FILE
  if (flags.yes) {
    const written = writeNewConfig(file, text)
    for (const path of written) process.stderr.write(`${paint('green', 'wrote')} ${relative('.', path)}\n`)
    const [, copy] = written
    if (copy !== undefined)
      process.stderr.write(`commit ${relative('.', copy)} too: editors read it for ${shown}\n`)
    print(`\nstagecraft plan shows what it changes`)
    return
  }
  heading(`would write ${shown}:`)
  process.stdout.write(text)
  print(`\nnothing is written; stagecraft init --yes writes it`)
}

function outside(root: string): StagecraftError {
  return StagecraftError.invalid(
    {
      path: '--project-dir',
      expected: 'a folder in a dbt project',
      received: `${root}, where no dbt_project.yml is in or above it`,
    },
    {
      suggestion:
        "dbt init makes a project; without one, stagecraft generate 'shop.*' --catalog … prints files, and stagecraft demo builds an example",
    },
  )
}

function present(file: string): StagecraftError {
  const suggestion = 'stagecraft learn --write adds conventions to it and changes nothing else'
  return new StagecraftError('INVALID_REQUEST', `${relative('.', file)} already exists; ${suggestion}`, {
    details: { faults: [{ path: FILE, expected: 'no such file', received: file }], suggestion },
  })
}
