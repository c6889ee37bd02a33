// Builds a Python wheel that installs the executable as the command `stagecraft`, for users who work in a dbt venv.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { repositoryPath } from '../test/paths.ts'

/**
 * Node's builds for Linux need glibc 2.28, which these Python tags stand for. Sources:
 * https://github.com/nodejs/node/blob/main/BUILDING.md and https://peps.python.org/pep-0600/
 */
const TAGS: Readonly<Record<string, string>> = {
  x64: 'py3-none-manylinux_2_28_x86_64',
  arm64: 'py3-none-manylinux_2_28_aarch64',
}

/** The earliest date that a zip file can hold, so that the same input gives the same bytes in every time zone. */
const DATE = new Date(1980, 0, 1)

/** Modes of regular files that anyone may read, or also run; the Unix bits are in the upper half. */
const READABLE = 0o100644 << 16
const RUNNABLE = 0o100755 << 16

function metadata(version: string): string {
  return [
    'Metadata-Version: 2.4',
    'Name: stagecraft',
    `Version: ${version}`,
    'Summary: Turns raw tables into dbt staging code that builds, and that you can maintain.',
    'License-Expression: Apache-2.0',
    'License-File: LICENSE',
    'License-File: THIRD_PARTY_NOTICES.md',
    'License-File: NODE_LICENSE',
    'Requires-Python: >=3.9',
    'Keywords: dbt,staging,analytics engineering',
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(repositoryPath('packages/cli/README.md'), 'utf8'),
  ].join('\n')
}

/**
 * Returns the record of a wheel: the path, hash and size of each of its files. Source:
 * https://packaging.python.org/en/latest/specifications/recording-installed-packages/
 */
function record(files: Readonly<Record<string, Uint8Array>>, own: string): string {
  const lines = Object.entries(files).map(([path, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return `${path},sha256=${hash},${bytes.length}\n`
  })
  return `${lines.join('')}${own},,\n`
}

/**
 * Writes the wheel and returns its path.
 *
 * @param executable The file that `executable.ts` wrote.
 * @param folder The folder to write to; created if missing.
 */
export function writeWheel(executable: string, folder: string): string {
  const tag = TAGS[process.arch]
  if (process.platform !== 'linux' || !tag)
    throw new Error(`expected Linux on x64 or arm64, got ${process.platform} on ${process.arch}`)
  const manifest = readFileSync(repositoryPath('packages/cli/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  const info = `stagecraft-${version}.dist-info`
  const script = `stagecraft-${version}.data/scripts/stagecraft`
  const node = join(process.execPath, '../../LICENSE')
  const files: Record<string, Uint8Array> = {
    [script]: readFileSync(executable),
    [`${info}/licenses/LICENSE`]: readFileSync(repositoryPath('LICENSE')),
    [`${info}/licenses/THIRD_PARTY_NOTICES.md`]: readFileSync(repositoryPath('THIRD_PARTY_NOTICES.md')),
    [`${info}/licenses/NODE_LICENSE`]: readFileSync(node),
    [`${info}/METADATA`]: strToU8(metadata(version)),
    [`${info}/WHEEL`]: strToU8(
      `Wheel-Version: 1.0\nGenerator: stagecraft\nRoot-Is-Purelib: false\nTag: ${tag}\n`,
    ),
  }
  files[`${info}/RECORD`] = strToU8(record(files, `${info}/RECORD`))
  const zipped = zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, bytes]) => [
        path,
        [bytes, { attrs: path === script ? RUNNABLE : READABLE, os: 3 }],
      ]),
    ),
    { level: 6, mtime: DATE },
  )
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `stagecraft-${version}-${tag}.whl`)
  writeFileSync(file, zipped)
  return file
}

if (import.meta.main) {
  const file = writeWheel(repositoryPath('dist/stagecraft'), repositoryPath('dist'))
  process.stdout.write(`${relative(process.cwd(), file)}\n`)
}
