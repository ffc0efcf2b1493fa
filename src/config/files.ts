import { Type, type Static, type TObject } from '@sinclair/typebox'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GuardOptions } from '../adapters/files/guarded.ts'
import type { S3Options } from '../adapters/files/s3.ts'
import type { Environment } from './environment.ts'
import { oneOf, text, url } from './variable-kinds.ts'

/** Where files are kept, in the environment. */
export const filesVariables = {
  FILES_DIR: Type.Optional(
    text({
      about: 'Where files are kept, unless S3_BUCKET says otherwise.',
      accepts: 'a folder',
      shown: 'files in DATA_DIR; FILES_DIR or S3_BUCKET is required in production',
    }),
  ),
  UPLOADS_DIR: Type.Optional(
    text({
      about: 'Where uploads stay while their request runs.',
      accepts: 'a folder',
      shown: 'uploads in DATA_DIR; tawthiq in the folder for temporary files in production',
    }),
  ),
  S3_BUCKET: Type.Optional(
    text(
      { about: 'The bucket that files are kept in.', accepts: 'the name of a bucket' },
      '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    ),
  ),
  S3_PREFIX: text(
    {
      about: 'What the keys of all files in the bucket begin with. Nothing else in the bucket is read or deleted.',
      accepts: 'letters, digits and . _ - in parts that end with /',
      default: 'tawthiq/',
    },
    '^(?=.{2,100}$)([A-Za-z0-9_-][A-Za-z0-9._-]*/)+$',
  ),
  S3_ENDPOINT: Type.Optional(
    url('http|https', {
      about: 'The S3-compatible server that has the bucket.',
      accepts: 'an http or https URL',
      shown: 'that of AWS',
    }),
  ),
  S3_REGION: text({ about: 'The region of the bucket.', accepts: 'text', default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: Type.Optional(text({ about: 'Who writes into the bucket.', accepts: 'text' })),
  S3_SECRET_ACCESS_KEY: Type.Optional(text({ about: 'The secret of the access key.', accepts: 'text' })),
  S3_FORCE_PATH_STYLE: oneOf(['true', 'false'], {
    about: 'Whether the bucket stands in the path rather than in the name of the host, as MinIO wants it.',
    default: 'false',
  }),
}

type Given = Static<TObject<typeof filesVariables>>

/** The durations of `guard` are not configured, but tests shorten them. */
export type FilesConfig = Readonly<({ folder: string } | { s3: S3Options }) & { guard?: GuardOptions }>

export function filesConfigOf(given: Environment): FilesConfig {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return { folder: given.FILES_DIR ?? join(given.DATA_DIR, 'files') }
  }
  const { S3_PREFIX: prefix, S3_ENDPOINT: endpoint, S3_REGION: region, S3_FORCE_PATH_STYLE: style } = given
  return { s3: { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, forcePathStyle: style === 'true' } }
}

export function uploadsFolderOf(given: Environment): string {
  const isProduction = given.NODE_ENV === 'production'
  return given.UPLOADS_DIR ?? (isProduction ? join(tmpdir(), 'tawthiq') : join(given.DATA_DIR, 'uploads'))
}

/** Those without a default: who gives one of them means S3. */
const S3_NAMES = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

type Missing = (name: keyof Given, why: string) => string[]

/** What is missing, or given twice, in words. */
export function filesProblems(given: Partial<Given>, isProduction: boolean, missing: Missing): string[] {
  const isS3 = S3_NAMES.some((name) => given[name] !== undefined)
  if (isS3) {
    const why = 'files are kept in S3.'
    const twice = given.FILES_DIR === undefined ? [] : ['FILES_DIR and S3_BUCKET cannot both say where files are kept.']
    const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
    return [...needed.flatMap((name) => missing(name, why)), ...twice]
  }
  return isProduction
    ? missing('FILES_DIR', 'production does not choose where files are kept (S3_BUCKET would do as well).')
    : []
}
