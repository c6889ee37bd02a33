// Prepares a package for `npm pack` and `pnpm pack`, in its folder. npm packs the manifest as it is, so under npm this
// writes the one that pnpm publishes, with versions and paths filled in; `postpack` restores the other.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MANIFEST = 'package.json'
/** The manifest of the workspace while npm packs. */
const SAVED = 'package.workspace.json'
const top = fileURLToPath(new URL('..', import.meta.url))

/** Returns the manifest that pnpm packs. */
function publishedManifest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-pack-'))
  try {
    const pnpm = [
      'run',
      '-s',
      'pn',
      '--prefix',
      top,
      '--',
      '--dir',
      process.cwd(),
      'pack',
      '--pack-destination',
    ]
    execFileSync('npm', [...pnpm, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
    const [tarball = ''] = readdirSync(folder)
    return execFileSync('tar', ['-xzOf', join(folder, tarball), `package/${MANIFEST}`], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const isNpm = !(process.env['npm_execpath'] ?? '').includes('pnpm')
if (process.argv[2] === 'restore') {
  if (existsSync(SAVED)) renameSync(SAVED, MANIFEST)
} else if (existsSync('dist')) {
  // pnpm adds the licence by itself, but not to packages with a licence of somebody else in a folder
  copyFileSync(join(top, 'LICENSE'), 'LICENSE')
  if (isNpm) {
    if (existsSync(SAVED)) renameSync(SAVED, MANIFEST)
    const published = publishedManifest()
    copyFileSync(MANIFEST, SAVED)
    writeFileSync(MANIFEST, published)
  }
} else {
  process.stderr.write(`${process.cwd()} has no folder dist; run npm run -s build in ${top} first\n`)
  process.exitCode = 1
}
