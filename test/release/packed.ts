// Packs all packages, and installs them as people do.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryPath } from '../paths.ts'

const execute = promisify(execFile)

interface Manifest {
  readonly version: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const FOLDERS: readonly string[] = [
  ...readdirSync(repositoryPath('packages')).map((name) => `packages/${name}`),
  'templates',
]

/** Returns what a program prints; its failure shows that too. */
export async function run(
  program: string,
  parameters: readonly string[],
  options: object = {},
): Promise<string> {
  try {
    return (await execute(program, parameters, { encoding: 'utf8', ...options })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${program} ${parameters.join(' ')}\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** Builds and packs the packages into a folder, and returns their tarballs. */
export async function packAll(folder: string): Promise<readonly string[]> {
  const npm = (...parameters: readonly string[]) =>
    run('npm', ['run', '-s', 'pn', '--', ...parameters], { cwd: repositoryPath('') })
  await npm('run', '--silent', 'build')
  const each = FOLDERS.flatMap((name) => ['--filter', `./${name}`])
  await npm(...each, 'pack', '--pack-destination', folder)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(folder, name))
}

/** Makes a project that has these packages, tarballs or names, and nothing else. */
export async function installInto(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', ...flags, ...packages], { cwd: folder })
}

/** Returns the packages that people may add to ours, in the versions that this repository has: `pg@8.16.0`. */
export function optionalPeers(): readonly string[] {
  const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const found = FOLDERS.flatMap((folder) =>
    Object.keys(manifest(repositoryPath(`${folder}/package.json`)).peerDependencies ?? {}).map((name) => {
      const { version } = manifest(repositoryPath(`${folder}/node_modules/${name}/package.json`))
      return `${name}@${version}`
    }),
  )
  return [...new Set(found)].toSorted()
}

/** Returns the bytes of all files in a folder. */
export function bytesOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
}
