// Walks the SDK through the requests of an application without a browser, and reports the steps that work.
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const works = []

async function step(name, run) {
  try {
    if (await run()) works.push(name)
    else console.error(`${name}: it returned another value`)
  } catch (error) {
    console.error(`${name}:`, error)
  }
}

export async function walk({ createTawthiq, isTawthiqError, toForm }, url) {
  const tawthiq = createTawthiq({ url, language: 'en' })
  let link = ''

  await step('login', async () => {
    await tawthiq.auth.login({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
    return (await tawthiq.getSession()).user.email === 'client@demo.test'
  })
  await step('update with file', async () => {
    const { user } = await tawthiq.profile.get()
    const photo = new Blob([Uint8Array.from(atob(PNG), (character) => character.charCodeAt(0))])
    const updated = await tawthiq.profile.update({ ...toForm(user), profile_photo: photo })
    link = updated.user.profile_photo
    return link.startsWith('/api/v1/files/')
  })
  await step('422', async () => {
    try {
      await tawthiq.profile.patch({ city_id: 2147483647 })
      return false
    } catch (error) {
      return isTawthiqError(error, 'patchProfile') && error.fields.city_id[0].code === 'unknown_id'
    }
  })
  await step('refresh', async () => {
    const session = await tawthiq.getSession()
    const later = createTawthiq({ url, session: { ...session, expiresAt: Date.now() } })
    const token = await later.getAccessToken()
    return token !== session.token && (await later.profile.get()).user.email === session.user.email
  })
  await step('download', async () => {
    const { blob, type } = await tawthiq.files.get(link)
    return type === 'image/png' && new Uint8Array(await blob.arrayBuffer())[1] === 'P'.charCodeAt(0)
  })
  console.log(`Works: ${JSON.stringify(works)}`)
}
