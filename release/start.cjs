// The first file of the executable. It unpacks the other files into a folder of the user, once, and then runs them.
const {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const { homedir, tmpdir, userInfo } = require('node:os')
const path = require('node:path')
const { getAsset } = require('node:sea')
const { gunzipSync } = require('node:zlib')

/** Returns folders for the files, best first. The last one is for machines without a writable home. */
function places() {
  const { STAGECRAFT_CACHE, XDG_CACHE_HOME = '' } = process.env
  if (STAGECRAFT_CACHE) return [STAGECRAFT_CACHE]
  const home = path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : path.join(homedir(), '.cache')
  return [path.join(home, 'stagecraft'), path.join(tmpdir(), `stagecraft-${userInfo().uid}`)]
}

/** Returns true if no one else can have put code into the folder. */
function isOwn(folder) {
  const stats = lstatSync(folder)
  const isMine = process.getuid === undefined || stats.uid === process.getuid()
  return stats.isDirectory() && isMine && (stats.mode & 0o022) === 0
}

function unpack(place, name) {
  mkdirSync(place, { recursive: true, mode: 0o700 })
  if (!isOwn(place)) throw new Error(`${place} can be written by others`)
  const folder = path.join(place, name)
  if (existsSync(folder)) return folder
  const beside = mkdtempSync(path.join(place, 'new-'))
  const files = gunzipSync(Buffer.from(getAsset('files'))).toString('utf8')
  for (const [inside, content] of Object.entries(JSON.parse(files))) {
    const file = path.join(beside, inside)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, Buffer.from(content, 'base64'))
  }
  try {
    renameSync(beside, folder) // whole or not at all, even if two start at once
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

function unpackSomewhere() {
  const name = getAsset('name', 'utf8')
  const failures = []
  for (const place of places()) {
    try {
      return unpack(place, name)
    } catch (error) {
      failures.push(error.message)
    }
  }
  return fail(
    `no folder for its files (${failures.join('; ')}); set STAGECRAFT_CACHE to a folder that you own`,
  )
}

function fail(why) {
  process.stderr.write(`stagecraft: ${why}\n`)
  return process.exit(1)
}

/**
 * Loads a package with native code from the folder that the user names, the folder of the executable, or the current
 * one.
 */
globalThis.stagecraftDriver = (name) => {
  const { STAGECRAFT_DRIVERS } = process.env
  const folders = [STAGECRAFT_DRIVERS, path.dirname(process.execPath), process.cwd()].filter(Boolean)
  const found = folders.flatMap((folder) => {
    try {
      return [createRequire(path.join(folder, 'package.json')).resolve(name)]
    } catch {
      return []
    }
  })
  if (found.length === 0) throw new Error(`${name} is not installed in ${folders.join(', ')}`)
  return createRequire(found[0])(found[0])
}

const folder = unpackSomewhere()
createRequire(path.join(folder, 'package.json'))('./start.cjs')
