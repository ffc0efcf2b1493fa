// Generated from openapi/ by `npm run generate`. Do not edit.

export interface paths {
  '/api/v1/auth/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Log in
     * @description Logs in with e-mail address and password, and begins a session.
     *
     *     An unknown address and a wrong password get the same answer in the same time. After 10
     *     failures in 15 minutes for one account from one address, or 30 in
     *     5 minutes from one address, further attempts get 429; sessions that exist are not touched.
     *     Only failures count.
     */
    post: operations['login']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Check a token
     * @description Tells which account the token belongs to. The account and the session are read anew on each request: a token fails
     *     as soon as its session has ended or its account is suspended.
     *
     *     At most 600 refused tokens a minute are looked at from one address.
     */
    get: operations['checkToken']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/check-phone': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a code by SMS
     * @description Checks that the phone number may be registered, and sends it a code of 6 digits by SMS. A number that an
     *     account has already gets 422 `phone_taken`.
     *
     *     The code can be confirmed for 5 minutes. Asking again within that time sends the same code and
     *     gives it 5 minutes more, but no new tries. Between two codes for one number there are
     *     60, then 120, then 300 seconds; a number gets at
     *     most 5 codes in an hour and 10 in a day. An address may ask
     *     10 times in a minute and 30 times in an hour.
     *
     *     When no SMS provider takes the message the answer is 503, and the attempt does not count against the number.
     */
    post: operations['checkPhone']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/confirm-phone': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm a code
     * @description Confirms the phone number with the code that was sent to it. The code is not used up: for 30 minutes
     *     it can be given as `otp` where a verified number is needed. Confirming the same code again answers 200 too, so that an
     *     answer that was lost can be asked for again.
     *
     *     A wrong code, an expired code and a number without a code get the same 400. After 5 wrong
     *     codes the code is dead, and after 10 wrong codes in a day the number gets 429 until they are a day
     *     old. 60 wrong codes in 5 minutes from one address get
     *     429 as well.
     */
    post: operations['confirmPhone']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/jwks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the public keys
     * @description The public keys that verify access tokens, for services that check tokens themselves. The body is a JWK set (RFC 7517)
     *     and the envelope at once: `keys` stands at the top, where JWT libraries look for it, and in `data`.
     *
     *     A token that verifies may belong to a session that has ended since: `GET /api/v1/auth/check` knows.
     */
    get: operations['getJwks']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/admin/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Check for admin privileges
     * @description Tells whether the account that asks has administrator privileges now. An account without them gets 200 and `false`.
     *
     *     At most 600 refused tokens a minute are looked at from one address.
     */
    get: operations['checkAdmin']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/profile': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get your profile
     * @description Returns the profile of the account that asks. `account_type` tells which of the two shapes it has.
     *
     *     At most 600 refused tokens a minute are looked at from one address.
     */
    get: operations['getProfile']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /** @description What a person logs in with. */
    LoginRequest: {
      /**
       * Format: email
       * @description The e-mail address of the account. Case and surrounding spaces do not matter.
       * @example client@demo.test
       */
      email: string
      /**
       * Format: password
       * @description The password, compared after NFKC normalisation.
       * @example Tawthiq-demo-1
       */
      password: string
    }
    /** @description The account that logged in. */
    LoginAccount: {
      /**
       * Format: email
       * @description The e-mail address of the account, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The access token, a JWT, for the header `Authorization` after the word `Bearer`.
       * @example eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl
       */
      token: string
    }
    /** @description The session that the login began. */
    Session: {
      /**
       * Format: int32
       * @description The life of the access token, in seconds.
       * @example 3600
       */
      expires_in: number
    }
    /** @description The account and the session of a login. */
    LoginData: {
      account: components['schemas']['LoginAccount']
      session: components['schemas']['Session']
    }
    /** @description The answer to a login. */
    LoginResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example تمت العملية بنجاح.
       */
      message: string
      data: components['schemas']['LoginData']
    }
    /**
     * @description The stable word of a failure, sent in the header `Error-Code`. Words are added, never renamed.
     * @enum {string}
     */
    ErrorCode:
      | 'malformed_request'
      | 'otp_wrong'
      | 'token_missing'
      | 'token_invalid'
      | 'token_expired'
      | 'token_revoked'
      | 'credentials_wrong'
      | 'account_suspended'
      | 'route_unknown'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'body_too_large'
      | 'media_type_unsupported'
      | 'expectation_failed'
      | 'invalid_data'
      | 'rate_limited'
      | 'otp_cooldown'
      | 'otp_send_limit'
      | 'otp_tries_exhausted'
      | 'headers_too_large'
      | 'unexpected'
      | 'overloaded'
      | 'database_unavailable'
      | 'limits_unavailable'
      | 'sms_unavailable'
      | 'shutting_down'
    /** @description A refusal. The header `Error-Code` says which. */
    ErrorResponse: {
      /**
       * @description Always false.
       * @enum {boolean}
       */
      status: false
      /**
       * Format: int32
       * @description The HTTP status.
       * @example 401
       */
      code: number
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example يلزم تسجيل الدخول للمتابعة.
       */
      message: string
      /** @description Always null. */
      data: null
    }
    /**
     * @description The stable word of what is wrong with a field, sent in `data.codes` of a 422. Words are added, never renamed.
     * @enum {string}
     */
    FieldCode:
      | 'required'
      | 'unknown_field'
      | 'wrong_type'
      | 'wrong_format'
      | 'not_allowed'
      | 'too_short'
      | 'too_long'
      | 'too_small'
      | 'too_large'
      | 'too_few'
      | 'too_many'
      | 'repeated'
      | 'phone_invalid'
      | 'phone_not_mobile'
      | 'phone_code_unknown'
      | 'phone_code_mismatch'
      | 'country_not_served'
      | 'phone_taken'
    /**
     * @description What is wrong, by field. A member of a field is named by a path with dots, and the body as a whole by `body`. The two
     *     maps have the same keys, and their lists the same order.
     */
    FieldErrors: {
      /**
       * @description Sentences for people, by field.
       * @example {
       *       "phone": [
       *         "رقم الهاتف مسجل من قبل."
       *       ]
       *     }
       */
      errors: {
        [key: string]: string[]
      }
      /**
       * @description Words for programs, by field.
       * @example {
       *       "phone": [
       *         "phone_taken"
       *       ]
       *     }
       */
      codes: {
        [key: string]: components['schemas']['FieldCode'][]
      }
    }
    /** @description A refusal that names every wrong field. */
    InvalidDataResponse: {
      /**
       * @description Always false.
       * @enum {boolean}
       */
      status: false
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 422
      /**
       * @description Always this word, in every language.
       * @enum {string}
       */
      message: 'invalid_data'
      data: components['schemas']['FieldErrors']
    }
    /** @description The account that a token belongs to. */
    Account: {
      /**
       * Format: int32
       * @description The number of the account. It never changes and is never given twice.
       * @example 1
       */
      id: number
      /**
       * Format: email
       * @description The e-mail address of the account, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The kind of the account.
       * @example client
       * @enum {string}
       */
      account_type: 'client' | 'lawyer'
    }
    /** @description The account that a token belongs to. */
    AccountData: {
      account: components['schemas']['Account']
    }
    /** @description The answer to a token check. */
    CheckTokenResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example تمت العملية بنجاح.
       */
      message: string
      data: components['schemas']['AccountData']
    }
    /**
     * @description The country calling code. `966`, `+966`, `00966` and `٩٦٦` are the same.
     * @example 966
     */
    PhoneCodeInput: string
    /**
     * @description The phone number as people write it. `0512345678`, `512345678`, `51 234 5678`, `+966512345678` and `٠٥١٢٣٤٥٦٧٨` are
     *     the same. A number of `966` must be a mobile number.
     * @example 512345678
     */
    PhoneInput: string
    /** @description The phone number to send a code to. */
    CheckPhoneRequest: {
      phone_code: components['schemas']['PhoneCodeInput']
      phone: components['schemas']['PhoneInput']
    }
    /** @description The answer when a code was sent. */
    CheckPhoneResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example تمت العملية بنجاح.
       */
      message: string
      /** @description Always null. */
      data: null
    }
    /** @description A phone number and the code that was sent to it. */
    ConfirmPhoneRequest: {
      phone_code: components['schemas']['PhoneCodeInput']
      phone: components['schemas']['PhoneInput']
      /**
       * @description The 6 digits of the SMS. Arabic-Indic and Persian digits are taken too.
       * @example 493027
       */
      otp: string
    }
    /** @description The answer when a phone number was confirmed. */
    ConfirmPhoneResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example تمت العملية بنجاح.
       */
      message: string
      /** @description Always null. */
      data: null
    }
    /** @description A public key (RFC 8037) that verifies access tokens. */
    Jwk: {
      /**
       * @description The key type.
       * @enum {string}
       */
      kty: 'OKP'
      /**
       * @description The curve.
       * @enum {string}
       */
      crv: 'Ed25519'
      /**
       * @description The public key, base64url.
       * @example 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
       */
      x: string
      /**
       * @description The name of the key, as in the header of a token.
       * @example k-2026-11-21-7f3a
       */
      kid: string
      /**
       * @description What the key is for.
       * @enum {string}
       */
      use: 'sig'
      /**
       * @description The algorithm.
       * @enum {string}
       */
      alg: 'EdDSA'
    }
    /** @description The public keys. The first one signs; the others verify tokens that are still alive. */
    JwkSet: components['schemas']['Jwk'][]
    /** @description The public keys that verify access tokens. */
    JwksData: {
      keys: components['schemas']['JwkSet']
    }
    /** @description A JWK set (RFC 7517) in the envelope. Libraries that take a JWK set read `keys` at the top. */
    JwksResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example تمت العملية بنجاح.
       */
      message: string
      data: components['schemas']['JwksData']
      keys: components['schemas']['JwkSet']
    }
    /** @description Whether the account may administer. */
    AdminData: {
      /**
       * @description True when the account has administrator privileges now.
       * @example false
       */
      is_admin: boolean
    }
    /** @description The answer to an admin check. */
    CheckAdminResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example تمت العملية بنجاح.
       */
      message: string
      data: components['schemas']['AdminData']
    }
    /** @description The profile of a client. */
    ClientUser: {
      /**
       * Format: int32
       * @description The number of the account.
       * @example 1
       */
      id: number
      /**
       * @description The full name.
       * @example سارة العتيبي
       */
      name: string
      /**
       * Format: email
       * @description The e-mail address, in lower case.
       * @example client@demo.test
       */
      email: string
      /**
       * @description The national number, without the calling code and without a leading zero.
       * @example 500000001
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description The kind of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'client'
      /**
       * @description The gender.
       * @example Female
       * @enum {string}
       */
      gender: 'Male' | 'Female'
      /**
       * Format: int32
       * @description The region, an id of the regions lookup.
       * @example 1
       */
      region_id: number
      /**
       * Format: int32
       * @description The country, an id of the countries lookup.
       * @example 682
       */
      country_id: number
      /**
       * Format: int32
       * @description The city, an id of the cities lookup.
       * @example 1
       */
      city_id: number
      /**
       * Format: int32
       * @description The user type: 1 individual, 2 institution, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer}
       */
      type: 1 | 2 | 3 | 4 | 5
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude: number
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude: number
      /**
       * Format: int32
       * @description The nationality, an id of the nationalities lookup.
       * @example 682
       */
      nationality_id: number
      /**
       * Format: uri-reference
       * @description A link to the profile photo, or null when there is none.
       * @example null
       */
      profile_photo: string | null
      /**
       * @description True when the phone number was confirmed by a code.
       * @example true
       */
      phone_verified: boolean
    }
    /** @description The profile of a lawyer. */
    LawyerUser: {
      /**
       * Format: int32
       * @description The number of the account.
       * @example 2
       */
      id: number
      /**
       * @description The full name.
       * @example عبدالله محمد سعد القحطاني
       */
      name: string
      /**
       * Format: email
       * @description The e-mail address, in lower case.
       * @example lawyer@demo.test
       */
      email: string
      /**
       * @description The national number, without the calling code and without a leading zero.
       * @example 500000002
       */
      phone: string
      /**
       * @description The country calling code, digits only.
       * @example 966
       */
      phone_code: string
      /**
       * @description The kind of the account. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      account_type: 'lawyer'
      /**
       * @description The gender.
       * @example Male
       * @enum {string}
       */
      gender: 'Male' | 'Female'
      /**
       * Format: int32
       * @description The region, an id of the regions lookup.
       * @example 1
       */
      region_id: number
      /**
       * Format: int32
       * @description The country, an id of the countries lookup.
       * @example 682
       */
      country_id: number
      /**
       * Format: int32
       * @description The city, an id of the cities lookup.
       * @example 1
       */
      city_id: number
      /**
       * Format: int32
       * @description The user type: 1 individual, 2 institution, 3 company, 4 government body, 5 authority.
       * @example 1
       * @enum {integer}
       */
      type: 1 | 2 | 3 | 4 | 5
      /**
       * Format: double
       * @description The longitude of the address, in degrees (WGS 84).
       * @example 46.6753
       */
      longitude: number
      /**
       * Format: double
       * @description The latitude of the address, in degrees (WGS 84).
       * @example 24.7136
       */
      latitude: number
      /**
       * Format: int32
       * @description The nationality, an id of the nationalities lookup.
       * @example 682
       */
      nationality_id: number
      /**
       * Format: uri-reference
       * @description A link to the profile photo, or null when there is none.
       * @example null
       */
      profile_photo: string | null
      /**
       * @description True when the phone number was confirmed by a code.
       * @example true
       */
      phone_verified: boolean
    }
    /** @description A profile, by account_type. */
    User: components['schemas']['ClientUser'] | components['schemas']['LawyerUser']
    /** @description The profile of the account that asks. */
    UserData: {
      user: components['schemas']['User']
    }
    /** @description The answer that holds a profile. */
    ProfileResponse: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      status: true
      /**
       * Format: int32
       * @description The HTTP status.
       * @enum {integer}
       */
      code: 200
      /**
       * @description A sentence for people, in the language of `Content-Language`.
       * @example تمت العملية بنجاح.
       */
      message: string
      data: components['schemas']['UserData']
    }
  }
  responses: {
    /** @description The request could not be read. */
    BadRequest: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The e-mail address or the password is wrong. */
    LoginRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The password is right, but the account is suspended. */
    AccountSuspended: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The body, a part of it or the number of its parts is over the limit. */
    PayloadTooLarge: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The body is missing, or its media type, charset or encoding is not taken here. */
    UnsupportedMediaType: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are wrong. All of them are named. */
    InvalidData: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description Too many requests of this kind. */
    TooManyRequests: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description Something went wrong on our side. */
    ServerError: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description A part that is needed is down, or the service has too much work or is shutting down. */
    Unavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The token is missing, wrong, expired or revoked. */
    Unauthorized: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description One or more fields are wrong, or the phone number belongs to an account already. */
    PhoneRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['InvalidDataResponse']
      }
    }
    /** @description No code may be sent to this number now, or too many were asked for from this address. */
    SendRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description No SMS provider took the message, or a part that is needed is down. */
    SendUnavailable: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The code is wrong or has expired, or the request could not be read. */
    ConfirmationRefused: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description Too many wrong codes were tried for this number, or from this address. */
    TriesExhausted: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
    /** @description The service is shutting down. */
    ShuttingDown: {
      headers: {
        /** @description The stable word of the failure. */
        'Error-Code': components['schemas']['ErrorCode']
        'Retry-After': components['headers']['Retry-After']
        'Content-Language': components['headers']['Content-Language']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Cache-Control': components['headers']['Cache-Control']
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorResponse']
      }
    }
  }
  parameters: {
    /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
    AcceptLanguage: string
  }
  requestBodies: never
  headers: {
    /** @description The language of the message. */
    'Content-Language': 'ar' | 'en'
    /** @description The name of this request in our logs. Give it when you ask for help. */
    'X-Request-Id': string
    /** @description What caches may do with the answer. What is personal is not stored. */
    'Cache-Control': string
    /** @description How much of each limit is left, and in how many seconds it starts anew (IETF draft ratelimit-headers). It comes with answers that count against a limit. */
    RateLimit: string
    /** @description The limits that apply, `q` requests in `w` seconds (IETF draft ratelimit-headers). It comes with answers that count against a limit. */
    'RateLimit-Policy': string
    /** @description The origin that may read the answer. It is sent only to the origins that the operator allows. */
    'Access-Control-Allow-Origin': string
    /** @description How to authenticate (RFC 6750). */
    'WWW-Authenticate': string
    /** @description How many seconds to wait before trying again. */
    'Retry-After': number
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  login: {
    parameters: {
      query?: never
      header?: {
        /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The credentials. */
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest']
      }
    }
    responses: {
      /** @description Logged in, with the token and its life. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['LoginResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['LoginRefused']
      403: components['responses']['AccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidData']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  checkToken: {
    parameters: {
      query?: never
      header?: {
        /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The account that the token belongs to. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CheckTokenResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      422: components['responses']['InvalidData']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  checkPhone: {
    parameters: {
      query?: never
      header?: {
        /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The phone number. */
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['CheckPhoneRequest']
        'application/json': components['schemas']['CheckPhoneRequest']
      }
    }
    responses: {
      /** @description The code was sent by SMS. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CheckPhoneResponse']
        }
      }
      400: components['responses']['BadRequest']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['PhoneRefused']
      429: components['responses']['SendRefused']
      500: components['responses']['ServerError']
      503: components['responses']['SendUnavailable']
    }
  }
  confirmPhone: {
    parameters: {
      query?: never
      header?: {
        /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    /** @description The phone number and the code. */
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['ConfirmPhoneRequest']
        'application/json': components['schemas']['ConfirmPhoneRequest']
      }
    }
    responses: {
      /** @description The phone number is confirmed. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConfirmPhoneResponse']
        }
      }
      400: components['responses']['ConfirmationRefused']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['InvalidData']
      429: components['responses']['TriesExhausted']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  getJwks: {
    parameters: {
      query?: never
      header?: {
        /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The public keys, the signing one first. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JwksResponse']
        }
      }
      400: components['responses']['BadRequest']
      422: components['responses']['InvalidData']
      500: components['responses']['ServerError']
      503: components['responses']['ShuttingDown']
    }
  }
  checkAdmin: {
    parameters: {
      query?: never
      header?: {
        /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer for this account. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CheckAdminResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      422: components['responses']['InvalidData']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
  getProfile: {
    parameters: {
      query?: never
      header?: {
        /** @description The language of messages, `ar` or `en`. Ranges and weights are understood. */
        'Accept-Language'?: components['parameters']['AcceptLanguage']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The profile of the account. */
      200: {
        headers: {
          'Content-Language': components['headers']['Content-Language']
          'X-Request-Id': components['headers']['X-Request-Id']
          'Cache-Control': components['headers']['Cache-Control']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'Access-Control-Allow-Origin': components['headers']['Access-Control-Allow-Origin']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProfileResponse']
        }
      }
      400: components['responses']['BadRequest']
      401: components['responses']['Unauthorized']
      422: components['responses']['InvalidData']
      429: components['responses']['TooManyRequests']
      500: components['responses']['ServerError']
      503: components['responses']['Unavailable']
    }
  }
}
