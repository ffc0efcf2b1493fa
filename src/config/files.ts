import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpUrl, oneOf, text, type Missing, type Values } from './variable-kinds.ts'

/** Variables of the file store. */
export const filesVariables = {
  FILES_DIR: text({
    about: 'Directory of profile files, shared by all instances. Production requires FILES_DIR or S3_BUCKET.',
    accepts: 'a directory',
    shown: 'files in DATA_DIR',
  }),
  UPLOADS_DIR: text({
    about: 'Directory of uploads while their request runs.',
    accepts: 'a directory',
    shown: 'uploads in DATA_DIR; in production, tawthiq in the system temporary directory',
  }),
  S3_BUCKET: text({
    about: 'S3 bucket of profile files, instead of FILES_DIR.',
    accepts: 'the name of a bucket',
    pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
  }),
  S3_PREFIX: text({
    about: 'Prefix of all object keys in the bucket. Objects without it are never read or deleted.',
    accepts: 'letters, digits and . _ - in segments that end with /',
    default: 'tawthiq/',
    pattern: '^(?=.{2,100}$)([A-Za-z0-9_-][A-Za-z0-9._-]*/)+$',
  }),
  S3_ENDPOINT: httpUrl({ about: 'Endpoint of an S3-compatible server.', shown: 'AWS' }),
  S3_REGION: text({ about: 'Region of the bucket.', default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: text({ about: 'Access key ID. Required with S3_BUCKET.' }),
  S3_SECRET_ACCESS_KEY: text({ about: 'Secret access key. Required with S3_BUCKET.', isSecret: true }),
  S3_FORCE_PATH_STYLE: oneOf(['true', 'false'], {
    about: 'Whether URLs have the bucket in the path, as MinIO requires.',
    default: 'false',
  }),
}

type Given = Values<typeof filesVariables>
type Shared = { NODE_ENV: string; DATA_DIR: string }

/** The options of `s3Storage`, which describes them */
type S3Config = Readonly<Record<'bucket' | 'prefix' | 'region' | 'accessKeyId' | 'secretAccessKey', string>> &
  Readonly<{ endpoint: string | undefined; forcePathStyle: boolean }>

/** `guard` has no variables; tests shorten its durations. */
type FilesConfig = Readonly<({ directory: string } | { s3: S3Config }) & { guard?: Guard }>
type Guard = Readonly<{ callMs?: number; silenceMs?: number; openMs?: number }>

export const filesConfig = (given: Given & Shared) =>
  ({
    files: chooseFileStore(given),
    uploadsDirectory:
      given.UPLOADS_DIR ??
      (given.NODE_ENV === 'production' ? join(tmpdir(), 'tawthiq') : join(given.DATA_DIR, 'uploads')),
  }) as const

function chooseFileStore(given: Given & Shared): FilesConfig {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return { directory: given.FILES_DIR ?? join(given.DATA_DIR, 'files') }
  }
  const { S3_PREFIX: prefix, S3_ENDPOINT: endpoint, S3_REGION: region, S3_FORCE_PATH_STYLE: style } = given
  return { s3: { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, forcePathStyle: style === 'true' } }
}

/** S3 variables without a default: setting any of them selects S3. */
const S3_NAMES = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Lists what is missing or contradictory. */
export function filesProblems(given: Partial<Given>, isProduction: boolean, missing: Missing<Given>): string[] {
  if (S3_NAMES.every((name) => given[name] === undefined))
    return isProduction ? missing('FILES_DIR', 'production requires FILES_DIR or S3_BUCKET.') : []
  const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const incomplete = needed.flatMap((name) => missing(name, 'S3 variables are set.'))
  if (given.FILES_DIR === undefined) return incomplete
  return [...incomplete, 'FILES_DIR and S3 variables are set. Set either FILES_DIR or S3_BUCKET, not both.']
}
