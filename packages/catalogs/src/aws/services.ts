export type AwsService = 'athena' | 'glue' | 'redshift' | 'redshift-serverless' | 'sts'

/** A service of AWS. */
interface ServiceForm {
  /** The version of a service that takes forms and answers in XML. Default: JSON. */
  readonly version?: string
  /** The permissions that its operations need. */
  readonly rights: string
}

/**
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 * @see https://smithy.io/2.0/aws/protocols/aws-query-protocol.html
 */
export const SERVICES: Readonly<Record<AwsService, ServiceForm>> = {
  athena: { rights: 'athena:GetDataCatalog in IAM' },
  glue: {
    rights:
      'glue:GetDatabases, glue:GetTables and glue:GetTable in IAM, and SELECT or DESCRIBE in Lake Formation',
  },
  redshift: {
    version: '2012-12-01',
    rights:
      'redshift:GetClusterCredentials in IAM for this user and database (redshift:CreateClusterUser and redshift:JoinGroup for autocreate and db_groups), or redshift:GetClusterCredentialsWithIAM for iam_role',
  },
  'redshift-serverless': { rights: 'redshift-serverless:GetCredentials in IAM' },
  sts: {
    version: '2011-06-15',
    rights: 'sts:AssumeRole in IAM, the trust policy of the role, and its external id',
  },
}
