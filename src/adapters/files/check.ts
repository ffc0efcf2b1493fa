import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { down, wrong, type Finding } from '../../lib/startup-error.ts'
import { withDeadline } from '../resilience/deadline.ts'
import { isNotTls } from '../resilience/speaks-tls.ts'
import { createClient, type S3Options } from './s3.ts'

const CHECK_MS_MAX = 1500

/** Sentences for the error codes of S3. Other codes may be temporary. */
const PROBLEMS: Readonly<Record<string, (options: S3Options) => string>> = {
  NoSuchBucket: ({ bucket }) => `S3_BUCKET: the bucket ${bucket} does not exist. Create it first.`,
  InvalidAccessKeyId: () => 'S3_ACCESS_KEY_ID is not known to the server.',
  SignatureDoesNotMatch: () => 'S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID.',
  AccessDenied: ({ bucket, prefix }) =>
    `S3_ACCESS_KEY_ID lacks the right to list ${prefix} in the bucket ${bucket} (s3:ListBucket).`,
  PermanentRedirect: ({ region }) => `S3_REGION: the bucket is not in the region ${region}.`,
  AuthorizationHeaderMalformed: ({ region }) => `S3_REGION: the bucket is not in the region ${region}.`,
}

type S3Error = Error & { $metadata?: { httpStatusCode?: number } }

/** Returns why the bucket cannot be used as it is configured; undefined if it can. Writes nothing. */
export async function checkBucket(options: S3Options): Promise<Finding | undefined> {
  const client = createClient({ ...options, timeoutMs: CHECK_MS_MAX })
  const command = new ListObjectsV2Command({ Bucket: options.bucket, Prefix: options.prefix, MaxKeys: 1 })
  try {
    await withDeadline(CHECK_MS_MAX, (abortSignal) => client.send(command, { abortSignal }))
    return undefined
  } catch (error) {
    return explain(error as S3Error, options)
  } finally {
    client.destroy()
  }
}

function explain(error: S3Error, options: S3Options): Finding {
  const problem = PROBLEMS[error.name]?.(options) ?? statusProblem(error, options) ?? tlsProblem(error, options)
  return problem === undefined
    ? down(`The file store cannot be used now: ${error.message}. Check S3_ENDPOINT.`)
    : wrong(problem)
}

/** Some servers send other codes than AWS, but the same statuses. */
function statusProblem({ $metadata, message }: S3Error, { bucket }: S3Options): string | undefined {
  const status = $metadata?.httpStatusCode ?? 0
  if (status === 404) return `S3_BUCKET: the bucket ${bucket} does not exist. Create it first.`
  return [401, 403].includes(status) ? `The file store rejects S3_ACCESS_KEY_ID: ${message}.` : undefined
}

function tlsProblem(error: S3Error, { endpoint = '' }: S3Options): string | undefined {
  if (endpoint.startsWith('https:')) {
    return isNotTls(error) ? 'S3_ENDPOINT begins with https, but the server does not speak TLS.' : undefined
  }
  return error.$metadata?.httpStatusCode === 400 && /https/i.test(error.message)
    ? 'S3_ENDPOINT begins with http, but the server speaks TLS. Begin it with https.'
    : undefined
}
