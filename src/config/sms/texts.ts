import { text, type OptionalText } from '../variable-kinds.ts'

/** A host name with at least two labels, the last of which is no number, so that no IP address matches */
const HOST_NAME =
  '^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+(?=[a-z0-9-]*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
/** Contains `{code}`, and no other braces than those of the placeholders */
const TEMPLATE = '^(?=.*\\{code\\})([^{}]|\\{(code|minutes|resend)\\}){1,300}$'

/** Variables of the texts of SMS with a code. */
export const smsTextVariables = {
  SMS_WEBOTP_DOMAIN: text({
    about:
      'Host name of the page that reads codes from SMS (WebOTP), added as the last line. Saudi operators drop SMS with host names that are not registered.',
    accepts: 'a host name in lower case, such as app.example.com',
    shown: 'none: the line is not added',
    pattern: HOST_NAME,
  }),
  SMS_OTP_TEXT_AR: template('Arabic SMS with a code that verifies a number'),
  SMS_OTP_TEXT_EN: template('English SMS with a code that verifies a number'),
  SMS_RESET_TEXT_AR: template('Arabic SMS with a code that sets a new password'),
  SMS_RESET_TEXT_EN: template('English SMS with a code that sets a new password'),
}

function template(message: string): OptionalText {
  return text({
    about: `Text of the ${message}.`,
    accepts: 'a text of at most 300 characters with {code}, and optionally {minutes} and {resend}',
    shown: 'the text of the service',
    pattern: TEMPLATE,
  })
}
