import { z } from '../zod.ts'
import { configSchema } from '../config.ts'
import { DIALECT_NAMES } from '../names.ts'
import {
  CONTROL_CHARACTERS,
  deletedSchema,
  idField,
  listOf,
  nameField,
  pageQuery,
  recordFields,
} from './fields.ts'
import { keySecretSchema } from './keys.ts'
import type { Operation } from './operation.ts'

/**
 * The part of a `stagecraft.yml` that a project can have. It excludes keys that name a file or a secret on a machine.
 */
export const projectConfigSchema = configSchema
  .unwrap()
  .omit({ catalog: true, templates: true, backend: true, dialect: true, dbtVersion: true })

const DIALECT = 'The SQL dialect to write. Default: that of the connection.'
const DBT_VERSION = 'The dbt version to write YAML for. Default: the newest.'
const CONFIG = 'Naming, options and overrides, as in a `stagecraft.yml`.'
const KEEP = 'The number of generations to keep for each unit, at least 50, which pushes need. Default 100.'
const CONNECTION = 'The connection that is used if a request does not name one.'

const branchField = z.string().min(1).max(200)
const line = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(new RegExp(`^[^${CONTROL_CHARACTERS}<>]*$`), 'expected text without control characters, < and >')

const gitFields = {
  remote: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      '`https://…`, `ssh://…`, `git@host:path`, or a path on the machine of the service; without a password.',
    ),
  branch: branchField
    .optional()
    .describe('The branch that new branches start from. Default: the default branch of the repository.'),
  path: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(
      /^(?:\.|[^/\\.][^/\\]*(?:\/[^/\\.][^/\\]*)*)$/,
      'expected a folder without / at its ends, empty parts and ..',
    )
    .optional()
    .describe(
      'The folder of the dbt project in the repository: `warehouse`, or `.` for its root. Default: the one with the generated files, otherwise the only one.',
    ),
  authorName: line.optional().describe('The author of the commits. Default `Stagecraft`.'),
  authorEmail: line.optional().describe('The e-mail address of the author. Default `stagecraft@localhost`.'),
}

const gitInputSchema = z.strictObject({
  ...gitFields,
  username: z.string().min(1).max(200).optional().describe('For https. Default `x-access-token`.'),
  token: z.string().min(1).max(4096).optional().describe('For https. Stored encrypted, never returned.'),
  privateKey: z.string().min(1).max(16_384).optional().describe('For ssh. Stored encrypted, never returned.'),
  knownHosts: z.string().min(1).max(16_384).optional().describe('For ssh: lines of a known_hosts file.'),
})

export const projectSchema = z.object({
  id: idField('proj'),
  name: z.string().describe('The name of the project.'),
  dialect: z.enum(DIALECT_NAMES).optional().describe(DIALECT),
  dbtVersion: z.string().optional().describe(DBT_VERSION),
  config: projectConfigSchema.describe(CONFIG),
  connectionId: idField('conn').optional().describe(CONNECTION),
  git: z
    .object({ ...gitFields, hasCredentials: z.boolean().describe('True if a token or a key is stored.') })
    .optional()
    .describe('The target of pushes.'),
  keepGenerations: z.int().positive().optional().describe(KEEP),
  ...recordFields,
})

const createBody = z.strictObject({
  name: nameField,
  dialect: z.enum(DIALECT_NAMES).optional().describe(DIALECT),
  dbtVersion: z.string().min(1).max(20).optional().describe(DBT_VERSION),
  config: projectConfigSchema.optional().describe(CONFIG),
  git: gitInputSchema.optional().describe('The target of pushes. Default: none.'),
  keepGenerations: z.int().min(50).max(10_000).optional().describe(KEEP),
})

const patchBody = z
  .strictObject({
    name: nameField,
    dialect: z.enum(DIALECT_NAMES).nullable().describe(DIALECT),
    dbtVersion: z.string().min(1).max(20).nullable().describe(DBT_VERSION),
    config: projectConfigSchema.describe(CONFIG),
    connectionId: idField('conn').nullable().describe(CONNECTION),
    keepGenerations: z.int().min(50).max(10_000).nullable().describe(KEEP),
    git: gitInputSchema
      .nullable()
      .describe('Replaces all Git settings. Omitted credentials are kept, unless the remote changes.'),
  })
  .partial()

const example = {
  name: 'Northlight Outfitters',
  dialect: 'snowflake',
  config: { naming: { glossary: { cust: 'customer' } } },
}

export const PROJECT_OPERATIONS = {
  createProject: {
    method: 'POST',
    path: '/v1/projects',
    scope: 'admin',
    summary: 'Create a project',
    description:
      'A key belongs to one project, so the answer contains a key of the new project, shown only once.',
    body: createBody,
    examples: { short: { name: 'Northlight Outfitters' }, whole: example },
    data: projectSchema.extend({ key: keySecretSchema.describe('A key of the new project.') }),
    status: 201,
    isCreation: true,
    hasVersion: true,
    location: '/v1/projects/{id}',
  },
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    scope: 'read',
    summary: 'List the projects of the key',
    query: pageQuery,
    data: listOf(projectSchema),
    isList: true,
  },
  getProject: {
    method: 'GET',
    path: '/v1/projects/{projectId}',
    scope: 'read',
    summary: 'Get a project',
    data: projectSchema,
    hasVersion: true,
  },
  updateProject: {
    method: 'PATCH',
    path: '/v1/projects/{projectId}',
    scope: 'admin',
    summary: 'Change a project',
    description: 'Omitted members stay unchanged; `null` removes a member.',
    body: patchBody,
    examples: {
      name: { name: 'Northlight' },
      git: { git: { remote: 'https://git.example.com/analytics.git', token: 'a token' } },
    },
    data: projectSchema,
    hasVersion: true,
  },
  deleteProject: {
    method: 'DELETE',
    path: '/v1/projects/{projectId}',
    scope: 'admin',
    summary: 'Delete a project with everything in it, including its keys',
    data: deletedSchema,
    hasVersion: true,
  },
} as const satisfies Record<string, Operation>
