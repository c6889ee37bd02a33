import { readFileSync } from 'node:fs'
import { type FileChange, writeChanges } from '../apply/write-changes.ts'

/** Writes the changes of a file of JSON into a folder, and says when it begins, so that a test can kill it meanwhile. */
const [folder = '', changes = ''] = process.argv.slice(2)
process.stdout.write('begin\n')
writeChanges(folder, JSON.parse(readFileSync(changes, 'utf8')) as readonly FileChange[])
process.stdout.write('end\n')
