// Ordinary HTTP clients, each in a separate process, that send a large body. Most of them do not read before they have
// sent everything.
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../processes/process.ts'

export type Upload = { url: string; method: string; headers: Record<string, string>; file: string; times: number }

/**
 * Sends uploads one after the other from one process, each several times. Returns the results of each: `status
 * error-code` of the responses, or the errors.
 */
export type UploadClient = (uploads: readonly Upload[]) => Promise<string[][]>

const run = promisify(execFile)
const NODE_PROCESS = new URL('upload-process.js', import.meta.url).pathname

/** Returns the clients that are installed on this machine. */
export function uploadClients(): Record<string, UploadClient> {
  return {
    'fetch of Node': byNode('fetch'),
    'http.request of Node': byNode('request'),
    'http.request of Node with keep-alive': byNode('request with keep-alive'),
    ...(isInstalled('curl') && { curl: byCurl([]), 'curl without Expect': byCurl(['-H', 'Expect:']) }),
    ...(isInstalled('python3') && { 'http.client of Python': byPython(HTTP_CLIENT) }),
    ...(isInstalled('python3') && { 'urllib of Python': byPython(URLLIB) }),
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function byNode(client: string): UploadClient {
  return async (uploads) => {
    const { stdout } = await run(process.execPath, [NODE_PROCESS, JSON.stringify([client, uploads])])
    return resultsIn(stdout, uploads)
  }
}

function byCurl(more: string[]): UploadClient {
  return async (uploads) => {
    const all: string[][] = []
    for (const { url, method, headers, file, times } of uploads) {
      const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
      const parameters = ['-sS', '-D', '-', '-X', method, ...lines, ...more, '--data-binary', `@${file}`, url]
      const results: string[] = []
      while (results.length < times) results.push(await run('curl', parameters).then(statusLine, String))
      all.push(results)
    }
    return all
  }
}

/** Returns the status and error code of the last response, which may follow `100 Continue`. */
function statusLine({ stdout }: { stdout: string }): string {
  const head = stdout.split(/^(?=HTTP\/)/m).at(-1) ?? ''
  return `${/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? ''} ${/^error-code: (\w+)/im.exec(head)?.[1] ?? ''}`
}

/** Reuses a connection if possible, like `requests`. */
const HTTP_CLIENT = `
def send():
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    response.read()
    return response`

/** Sends `Connection: close` with each request. */
const URLLIB = `
def send():
    try:
        return urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method))
    except urllib.error.HTTPError as response:
        return response`

const PYTHON = `
import http.client, json, sys, urllib.error, urllib.parse, urllib.request
SEND
for upload in json.loads(sys.argv[1]):
    url, method, headers = upload['url'], upload['method'], upload['headers']
    host, path = urllib.parse.urlsplit(url)[1:3]
    body = open(upload['file'], 'rb').read()
    connection = http.client.HTTPConnection(host)
    for _ in range(upload['times']):
        try:
            response = send()
            print(response.status, response.headers['error-code'])
        except OSError as error:
            connection = http.client.HTTPConnection(host)
            print(type(error).__name__, error)`

function byPython(send: string): UploadClient {
  return async (uploads) => {
    const program = PYTHON.replace('SEND', () => send)
    const { stdout } = await run('python3', ['-c', program, JSON.stringify(uploads)])
    return resultsIn(stdout, uploads)
  }
}

/** Returns the lines of each upload. */
function resultsIn(output: string, uploads: readonly Upload[]): string[][] {
  const lines = output.trim().split('\n')
  return uploads.map(({ times }) => lines.splice(0, times))
}

/** Writes a file of a number of bytes. Returns its path. */
export function fileOf(bytes: number): string {
  const file = join(temporaryFolder(), 'body')
  writeFileSync(file, Buffer.alloc(bytes, 'x'))
  return file
}
