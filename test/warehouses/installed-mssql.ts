// Lets a process of the command find the package mssql where test/engines/install.sh puts it; for --import.
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { repositoryPath } from '../paths.ts'

const file = createRequire(repositoryPath('.venvs/mssql/package.json')).resolve('mssql')

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'mssql' ? pathToFileURL(file).href : specifier, context),
})
