import { expect, test } from 'vitest'
import { findFailure, gitFailed, pushFailed } from './failures.ts'

test.each([
  ["fatal: could not read Username for 'https://h': terminal prompts disabled", 'authentication'],
  ["remote: Invalid username or token.\nfatal: Authentication failed for 'https://h/x/'", 'authentication'],
  ['git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.', 'authentication'],
  ['Load key "/tmp/k": error in libcrypto\ngit@h: Permission denied (publickey).', 'private_key'],
  ['Load key "/tmp/k": invalid format', 'private_key'],
  ['Host key verification failed.\nfatal: Could not read from remote repository.', 'host_key'],
  ['@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.', 'host_key'],
  ['ERROR: The key you are authenticating with has been marked as read only.', 'forbidden'],
  [
    'remote: Permission to a/b.git denied to c.\nfatal: unable to access: The requested URL returned error: 403',
    'forbidden',
  ],
  ['remote: Write access to repository not granted.', 'forbidden'],
  ['remote: You are not allowed to push code to this project.', 'forbidden'],
  ['remote: Repository not found.\nfatal: repository not found', 'not_found'],
  ["fatal: repository 'https://h/x/' not found", 'not_found'],
  ['ERROR: The project you were looking for could not be found or you may not view it.', 'not_found'],
  ["fatal: '/x' does not appear to be a git repository", 'not_git'],
  ['fatal: https://h/info/refs not valid: is this a git repository?', 'not_git'],
  ["fatal: detected dubious ownership in repository at '/x'", 'ownership'],
  ['fatal: unable to update url base from redirection:\n  asked for: https://h', 'redirect'],
  ['fatal: unable to access: The requested URL returned error: 301', 'redirect'],
  ["fatal: unable to access 'https://h/': Could not resolve host: h", 'host_not_found'],
  ['ssh: Could not resolve hostname h: Name or service not known', 'host_not_found'],
  ["fatal: unable to access 'https://h/': Failed to connect to h port 443: Connection refused", 'refused'],
  ['ssh: connect to host h port 22: Connection refused', 'refused'],
  ['ssh: connect to host h port 22: No route to host', 'unreachable'],
  ['ssh: connect to host h port 22: Connection timed out', 'timeout'],
  ['Failed to connect to h port 443 after 130 ms: Connection timed out', 'timeout'],
  ["fatal: unable to access 'https://h/': SSL certificate problem: self-signed certificate", 'tls'],
  ['server certificate verification failed. CAfile: none CRLfile: none', 'tls'],
  ['gnutls_handshake() failed: Handshake failed', 'tls'],
  ['error: RPC failed; curl 56 Recv failure: Connection reset by peer', 'lost'],
  ['fatal: the remote end hung up unexpectedly', 'lost'],
  ['kex_exchange_identification: Connection closed by remote host', 'lost'],
  ['fatal: write error: No space left on device', 'disk'],
  ["fatal: sha1 file 'objects/pack/tmp_pack_x' write error. Out of diskspace", 'disk'],
  ["fatal: couldn't find remote ref refs/heads/x", 'moved'],
  ['The requested URL returned error: 429', 'rate'],
  ['The requested URL returned error: 502', 'server'],
  ['fatal: something new', undefined],
  ['', undefined],
])('reads %j as %s', (printed, failure) => {
  expect(findFailure(printed)).toBe(failure)
})

test('a failure has words of our own, and nothing else', () => {
  const error = pushFailed('authentication')
  expect(error).toMatchObject({
    code: 'CONNECTION_FAILED',
    message:
      'Git failed: the credentials were rejected; check the user name and the token or key, and that they have not expired',
    details: {
      reason: 'the credentials were rejected',
      suggestion: 'check the user name and the token or key, and that they have not expired',
    },
  })
  expect(error.cause).toBeUndefined()
})

test('a failure that says nothing known has the status', () => {
  expect(gitFailed('push', 128).details).toMatchObject({ reason: 'git push failed with 128' })
})
