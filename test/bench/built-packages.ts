import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Manifest {
  readonly publishConfig: {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  }
}

const NAME = /^@stagecraft\/(?<name>[\w-]+)(?<entry>\/.*)?$/

/**
 * Makes imports of a repository's packages find what users install: the built files, not the sources.
 *
 * @param repository The path of the repository.
 */
export function useBuiltPackages(repository: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { entry = '', name } = NAME.exec(specifier)?.groups ?? {}
      if (name === undefined) return next(specifier, context)
      const folder = join(repository, name === 'templates' ? 'templates' : `packages/${name}`)
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
      const target = manifest.publishConfig.exports[`.${entry}`]
      if (target === undefined) throw new Error(`${folder}/package.json has no export .${entry}`)
      const file = typeof target === 'string' ? target : target.default
      return { url: pathToFileURL(join(folder, file)).href, shortCircuit: true }
    },
  })
}
