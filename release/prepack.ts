// Prepares a package for `pnpm pack`. npm is refused, because only pnpm fills in the versions and paths of the manifest.
import { copyFileSync, readFileSync } from 'node:fs'

if ((process.env['npm_execpath'] ?? '').includes('pnpm'))
  // pnpm adds it by itself, but not to packages with a licence of somebody else in a folder
  copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE')
else {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string }
  process.stderr.write(
    `npm cannot write the manifest of ${name}; run this at the root instead: npm run -s pn -- --filter ${name} pack\n`,
  )
  process.exitCode = 1
}
