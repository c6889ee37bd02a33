import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { JsonReporter } from 'vitest/node'
import { temporaryFolder } from './temporary-folder.ts'
import { ProgressReporter } from './reporter.ts'
import { LongestFirst } from './sequencer.ts'

const ROOT = new URL('..', import.meta.url).pathname

/** Tests that take long by their nature: `npm test` leaves them out, `test:all` and CI run them. */
const LONG = '*.long.test.ts'

/** Where the results are written as JSON, for programs. @default nowhere */
const REPORT = process.env['STAGECRAFT_TEST_REPORT']

const filesOf = (name: string) => [`packages/*/src/**/${name}`, `test/**/${name}`]

export default defineConfig({
  root: ROOT,
  test: {
    isolate: false,
    setupFiles: ['test/seed-properties.ts'],
    // No file shares anything with another one, so they run side by side, one more than there are processors, since many
    // wait for servers, processes and clocks. A worker takes up to 700 MB.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    // Limits are for what hangs, not for what is slow: machines differ by far more than tests vary.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 40_000 } },
    env: {
      // The command is started from source hundreds of times.
      NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled`,
      TMPDIR: temporaryFolder(),
      // A database of a test need not survive the end of its server.
      PGOPTIONS: '-c synchronous_commit=off',
    },
    // The progress last, since its last line says what was not run.
    reporters: [
      ...(REPORT === undefined ? [] : [new JsonReporter({ outputFile: REPORT })]),
      new ProgressReporter(),
    ],
    projects: [
      { extends: true, test: { name: 'quick', include: filesOf('*.test.ts'), exclude: filesOf(LONG) } },
      { extends: true, test: { name: 'long', include: filesOf(LONG) } },
    ],
  },
})
