import { accountHost, chosenHosts } from '../snowflake/hosts.ts'
import type { AddressDefaults } from './address.ts'

export const POSTGRES: AddressDefaults = {
  engine: 'PostgreSQL',
  form: 'postgres://user:password@host:5432/database',
  port: 5432,
  borrows: true, // pg: PGPASSWORD, ~/.pgpass
}

export const MYSQL: AddressDefaults = {
  engine: 'MySQL',
  form: 'mysql://user:password@host:3306/database',
  port: 3306,
}

export const REDSHIFT: AddressDefaults = {
  engine: 'Redshift',
  form: 'redshift://user:password@host:5439/database/schema',
  port: 5439,
  secrets: ['secret_access_key', 'session_token'],
  files: [],
  ownIdentities: { method: ['iam', 'iam_role'] },
  ownKeys: ['access_key_id', 'secret_access_key'],
  // https://docs.aws.amazon.com/redshift/latest/mgmt/connecting-from-psql.html
  vendorHosts: /\.redshift(?:-serverless)?\.amazonaws\.com(?:\.cn)?$/i,
}

export const BIGQUERY: AddressDefaults = {
  engine: 'BigQuery',
  form: 'bigquery://bigquery.googleapis.com/project/dataset?keyfile=key.json',
  port: 443,
  borrows: true, // gcloud, GOOGLE_APPLICATION_CREDENTIALS
  borrowsDatabase: true, // the project of gcloud
  secrets: ['token', 'keyfile_json', 'refresh_token', 'client_secret'],
  files: ['keyfile'],
}

export const SQLSERVER: AddressDefaults = {
  engine: 'SQL Server',
  form: 'sqlserver://user:password@host:1433/database/schema',
  port: 1433,
  secrets: ['token'],
  files: [],
  ownIdentities: {
    authentication: [
      'azure-active-directory-default',
      'azure-active-directory-msi-vm',
      'azure-active-directory-msi-app-service',
    ],
  },
  // https://learn.microsoft.com/en-us/azure/azure-sql/database/connectivity-architecture, and the hosts of
  // Synapse and Fabric
  vendorHosts:
    /\.(?:database\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net|fabric\.microsoft\.com)|sql\.azuresynapse\.net|datawarehouse\.(?:fabric\.microsoft\.com|pbidedicated\.windows\.net))$/i,
}

export const CLICKHOUSE: AddressDefaults = {
  engine: 'ClickHouse',
  form: 'clickhouse://user:password@host:8123/database',
  port: 8123,
  passwordVariable: 'CLICKHOUSE_PASSWORD',
}

export const TRINO: AddressDefaults = {
  engine: 'Trino',
  form: 'trino://user:password@host:8443/catalog/schema',
  port: 8080,
  secrets: ['http_headers'],
  passwordVariable: 'TRINO_PASSWORD',
}

export const SNOWFLAKE: AddressDefaults = {
  engine: 'Snowflake',
  form: 'snowflake://user@account/DATABASE/SCHEMA?warehouse=…',
  port: 443,
  serverOf: accountHost,
  secrets: ['token', 'private_key', 'private_key_passphrase', 'oauth_client_secret', 'passcode'],
  files: ['private_key_path'],
  chosenHosts,
  ownIdentities: {
    authenticator: ['externalbrowser', 'oauth_authorization_code', 'workload_identity', 'id_token'],
  },
}

export const DATABRICKS: AddressDefaults = {
  engine: 'Databricks',
  form: 'databricks://token:secret@host/catalog/schema?http_path=/sql/1.0/warehouses/id',
  port: 443,
  secrets: ['token', 'client_secret'],
  files: [],
}

/** The host is a region. */
export const ATHENA: AddressDefaults = {
  engine: 'Athena',
  form: 'athena://region/awsdatacatalog/schema',
  port: 443,
  borrows: true, // profiles and roles of AWS
  secrets: ['session_token'],
  files: [],
}
