import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    isolate: false,
  },
})
