#!/usr/bin/env node
import module from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`stagecraft needs Node 22.18 or newer; this is Node ${process.versions.node}\n`)
  process.exit(1)
}

// Caches compiled code if Node supports it, because startup dominates the time of a short command.
module.enableCompileCache()
const { createProgram } = await import('./program.ts')

// A reader that stops early (`stagecraft … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await createProgram().parseAsync()
} catch (error) {
  const { finish } = await import('./terminal/finish.ts')
  await finish(error, { json: process.argv.includes('--json') })
}
