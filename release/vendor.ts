// Copies the needed parts of some libraries into the built packages that use them, so that users do not install the
// rest (sources, compatibility layers, builds for other platforms): `node release/vendor.ts`, after the compiler.
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { repositoryPath } from '../test/paths.ts'

/**
 * Copies the modules of zod 4 and their types unchanged, and makes the file of the spec that exports zod point to
 * them. They are not in `dist`, where the compiler takes every file for the output of a source.
 */
function vendorZod(): void {
  const source = repositoryPath('packages/spec/node_modules/zod')
  const target = repositoryPath('packages/spec/vendor/zod')
  rmSync(target, { recursive: true, force: true })
  for (const file of globSync('v4/{classic,core,locales}/*.{js,d.ts}', { cwd: source })) {
    mkdirSync(join(target, dirname(file)), { recursive: true })
    cpSync(join(source, file), join(target, file))
  }
  cpSync(join(source, 'LICENSE'), join(target, 'LICENSE'))
  for (const ending of ['js', 'd.ts'])
    writeFileSync(
      repositoryPath(`packages/spec/dist/zod.${ending}`),
      "export { z } from '../vendor/zod/v4/classic/index.js'\n",
    )
}

/** Writes the browser edition of nunjucks as a module; it runs in Node too, and needs no module of Node. */
async function vendorNunjucks(): Promise<void> {
  const bundle = await rolldown({
    cwd: repositoryPath('packages/core'),
    platform: 'browser',
    input: 'src/render/nunjucks.ts',
  })
  await bundle.write({
    file: repositoryPath('packages/core/dist/render/nunjucks.js'),
    format: 'esm',
    minify: true,
  })
  await bundle.close()
  cpSync(
    repositoryPath('packages/core/node_modules/nunjucks/LICENSE'),
    repositoryPath('packages/core/dist/render/nunjucks.LICENSE'),
  )
}

vendorZod()
await vendorNunjucks()
