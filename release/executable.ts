// Builds `stagecraft` as one executable file for this machine's platform: Node with the bundle inside.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { compareText } from '@stagecraft/spec'
import { repositoryPath } from '../test/paths.ts'
import { writeBundle } from './bundle.ts'

/**
 * The mark in Node's binary that shows that it contains a program. Source:
 * https://nodejs.org/api/single-executable-applications.html
 */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Packs all files of a folder, by their paths, into one compressed text. */
function packFiles(folder: string): Uint8Array {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => relative(folder, join(parentPath, name)))
    .toSorted(compareText)
  const files = paths.map((path) => [path, readFileSync(join(folder, path)).toString('base64')])
  return gzipSync(JSON.stringify(Object.fromEntries(files)), { level: 9 })
}

/**
 * Writes the executable.
 *
 * @param file The path of the executable, such as `dist/stagecraft`. An existing file is replaced.
 */
export async function writeExecutable(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-executable-'))
  try {
    const [bundle, config, blob, files, name] = ['bundle', 'sea.json', 'sea.blob', 'files', 'name'].map(
      (part) => join(folder, part),
    ) as [string, string, string, string, string]
    await writeBundle(bundle, 'around')
    const packed = packFiles(bundle)
    writeFileSync(files, packed)
    // Computed here, since each start needs it and the files are large.
    writeFileSync(name, createHash('sha256').update(packed).digest('hex').slice(0, 16))
    const main = repositoryPath('release/start.cjs')
    writeFileSync(
      config,
      JSON.stringify({ main, output: blob, assets: { files, name }, disableExperimentalSEAWarning: true }),
    )
    execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' })
    mkdirSync(join(file, '..'), { recursive: true })
    rmSync(file, { force: true })
    copyFileSync(process.execPath, file)
    chmodSync(file, 0o755)
    execFileSync('strip', [file], { stdio: 'pipe' })
    const postject = repositoryPath('node_modules/.bin/postject')
    execFileSync(postject, [file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], { stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const file = repositoryPath('dist/stagecraft')
  await writeExecutable(file)
  process.stdout.write(`${relative(process.cwd(), file)}\n`)
}
