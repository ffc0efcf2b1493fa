import { secret, webAddress, type Values } from '../variable-kinds.ts'

/** Variables of challenges. */
export const captchaVariables = {
  CAPTCHA_VERIFY_URL: webAddress({
    about:
      'Siteverify endpoint of Turnstile, hCaptcha or reCAPTCHA. Networks that have used up most of a limit, and all in a country under attack, then need a solution to request codes.',
    shown: 'none; an attack blocks new users of a country',
  }),
  CAPTCHA_SECRET: secret('Secret key for CAPTCHA_VERIFY_URL. Required with it.'),
}

/** The verifier of challenges */
export type CaptchaConfig = Readonly<{ url: string; secret: string }>

/** Returns undefined if no challenges are configured. */
export function parseCaptchaConfig(given: Values<typeof captchaVariables>): CaptchaConfig | undefined {
  const { CAPTCHA_VERIFY_URL: url, CAPTCHA_SECRET: secret } = given
  return url === undefined || secret === undefined ? undefined : { url, secret }
}
