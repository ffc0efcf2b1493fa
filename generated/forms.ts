// Generated from openapi/ by `npm run generate`. Do not edit.

import type { components } from './types.ts'

export const PROFILE_FORMS: Record<'client' | 'lawyer', Record<'ar' | 'en', components['schemas']['ProfileForm']>> = {
  client: {
    ar: {
      type: 'object',
      required: [
        'account_type',
        'email',
        'phone',
        'phone_code',
        'country_id',
        'region_id',
        'city_id',
        'nationality_id',
        'type',
        'gender',
        'longitude',
        'latitude',
        'name',
      ],
      properties: {
        account_type: {
          title: 'نوع الحساب',
          'x-group': 'account',
          type: 'string',
          const: 'client',
        },
        email: {
          title: 'البريد الإلكتروني',
          'x-group': 'account',
          type: 'string',
          maxLength: 254,
          pattern:
            "^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?![^@]{65})[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+(?:\\.[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+)*@(?:[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?\\.)+[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$",
          format: 'email',
        },
        phone_code: {
          title: 'رمز الدولة',
          description: 'مثل 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 1,
          maxLength: 16,
          pattern:
            '^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?:[+＋]|00|٠٠|۰۰|００)?(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[0-9٠-٩۰-۹０-９]){1,4}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$',
        },
        phone: {
          title: 'رقم الجوال',
          'x-group': 'account',
          type: 'string',
          minLength: 3,
          maxLength: 32,
          pattern:
            '^[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*(?:[Tt][Ee][Ll]:)?[+＋]?[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９][0-9٠-٩۰-۹０-９().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        otp: {
          title: 'رمز التحقق',
          description: 'مطلوب عند تغيير الرقم إذا كان رمز الدولة 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 6,
          maxLength: 32,
          pattern:
            '^(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９]){6}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        password: {
          title: 'كلمة المرور الجديدة',
          description: 'اتركها للإبقاء على كلمة المرور الحالية.',
          'x-group': 'account',
          type: 'string',
          minLength: 8,
          maxLength: 256,
          pattern:
            '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*$',
          format: 'password',
        },
        name: {
          title: 'الاسم الكامل',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 160,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        gender: {
          title: 'الجنس',
          'x-group': 'identity',
          type: 'string',
          oneOf: [
            {
              const: 'Male',
              title: 'ذكر',
            },
            {
              const: 'Female',
              title: 'أنثى',
            },
          ],
        },
        nationality_id: {
          title: 'الجنسية',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'nationalities',
            url: '/api/v1/lookups/nationalities',
          },
        },
        profile_photo: {
          title: 'الصورة الشخصية',
          'x-group': 'identity',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'never',
          },
        },
        country_id: {
          title: 'الدولة',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'countries',
            url: '/api/v1/lookups/countries',
          },
        },
        region_id: {
          title: 'المنطقة',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'regions',
            parent: 'country_id',
            query: 'country_id',
            url: '/api/v1/lookups/regions',
          },
        },
        city_id: {
          title: 'المدينة',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'cities',
            parent: 'region_id',
            query: 'region_id',
            url: '/api/v1/lookups/cities',
          },
        },
        longitude: {
          title: 'خط الطول',
          'x-group': 'location',
          type: 'number',
          minimum: -180,
          maximum: 180,
        },
        latitude: {
          title: 'خط العرض',
          'x-group': 'location',
          type: 'number',
          minimum: -90,
          maximum: 90,
        },
        type: {
          title: 'نوع المستخدم',
          'x-group': 'company',
          type: 'integer',
          oneOf: [
            {
              const: 1,
              title: 'فرد',
            },
            {
              const: 2,
              title: 'مؤسسة',
            },
            {
              const: 3,
              title: 'شركة',
            },
            {
              const: 4,
              title: 'جهة حكومية',
            },
            {
              const: 5,
              title: 'هيئة',
            },
          ],
        },
      },
      additionalProperties: false,
      'x-groups': [
        {
          name: 'account',
          title: 'الحساب',
        },
        {
          name: 'identity',
          title: 'البيانات الشخصية',
        },
        {
          name: 'location',
          title: 'الموقع',
        },
        {
          name: 'company',
          title: 'الشركة',
        },
      ],
      'x-ignored-fields': [
        'about',
        'accurate_specialty',
        'company_licences_no',
        'company_license_file',
        'company_name',
        'cv_file',
        'day',
        'degree',
        'degree_certificate',
        'deletion_due_at',
        'email_verified',
        'first_name',
        'fourth_name',
        'functional_cases',
        'general_specialty',
        'id',
        'identity_type',
        'languages',
        'license_no',
        'logo',
        'month',
        'national_id',
        'national_id_image',
        'other_degree',
        'pending_email',
        'phone_verified',
        'profile_complete',
        'review_reason',
        'review_status',
        'second_name',
        'sections',
        'third_name',
        'year',
      ],
      'x-messages': {
        required: 'هذا الحقل مطلوب.',
        unknown_field: 'هذا الحقل غير معروف.',
        wrong_type: 'نوع هذه القيمة غير صحيح.',
        wrong_format: 'صيغة هذه القيمة غير صحيحة.',
        not_allowed: 'هذه القيمة غير مسموح بها.',
        repeated: 'توجد قيمة مكررة.',
        unknown_id: 'هذا الخيار غير موجود.',
        wrong_parent: 'هذا الخيار لا يتبع الخيار الذي قبله.',
        file_type_not_allowed: 'الأنواع المقبولة: JPEG وPNG وWebP ثابتة، وPDF للمستندات.',
        'too_long.254': 'يجب ألا يزيد عدد الأحرف على 254.',
        'too_long.16': 'يجب ألا يزيد عدد الأحرف على 16.',
        'too_short.3': 'يجب ألا يقل عدد الأحرف عن 3.',
        'too_long.32': 'يجب ألا يزيد عدد الأحرف على 32.',
        'too_short.6': 'يجب ألا يقل عدد الأحرف عن 6.',
        'too_short.8': 'يجب ألا يقل عدد الأحرف عن 8.',
        'too_long.256': 'يجب ألا يزيد عدد الأحرف على 256.',
        'too_long.160': 'يجب ألا يزيد عدد الأحرف على 160.',
        'too_small.1': 'يجب ألا تقل القيمة عن 1.',
        'too_large.2147483647': 'يجب ألا تزيد القيمة على 2147483647.',
        'file_too_large.5': 'يجب ألا يزيد حجم الملف على 5 ميغابايت.',
        'too_small.-180': 'يجب ألا تقل القيمة عن -180.',
        'too_large.180': 'يجب ألا تزيد القيمة على 180.',
        'too_small.-90': 'يجب ألا تقل القيمة عن -90.',
        'too_large.90': 'يجب ألا تزيد القيمة على 90.',
      },
    },
    en: {
      type: 'object',
      required: [
        'account_type',
        'email',
        'phone',
        'phone_code',
        'country_id',
        'region_id',
        'city_id',
        'nationality_id',
        'type',
        'gender',
        'longitude',
        'latitude',
        'name',
      ],
      properties: {
        account_type: {
          title: 'Account type',
          'x-group': 'account',
          type: 'string',
          const: 'client',
        },
        email: {
          title: 'E-mail address',
          'x-group': 'account',
          type: 'string',
          maxLength: 254,
          pattern:
            "^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?![^@]{65})[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+(?:\\.[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+)*@(?:[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?\\.)+[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$",
          format: 'email',
        },
        phone_code: {
          title: 'Country code',
          description: 'For example 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 1,
          maxLength: 16,
          pattern:
            '^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?:[+＋]|00|٠٠|۰۰|００)?(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[0-9٠-٩۰-۹０-９]){1,4}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$',
        },
        phone: {
          title: 'Phone number',
          'x-group': 'account',
          type: 'string',
          minLength: 3,
          maxLength: 32,
          pattern:
            '^[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*(?:[Tt][Ee][Ll]:)?[+＋]?[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９][0-9٠-٩۰-۹０-９().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        otp: {
          title: 'Verification code',
          description: 'Required if the number changes and the country code is 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 6,
          maxLength: 32,
          pattern:
            '^(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９]){6}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        password: {
          title: 'New password',
          description: 'Leave it out to keep the current password.',
          'x-group': 'account',
          type: 'string',
          minLength: 8,
          maxLength: 256,
          pattern:
            '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*$',
          format: 'password',
        },
        name: {
          title: 'Full name',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 160,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        gender: {
          title: 'Gender',
          'x-group': 'identity',
          type: 'string',
          oneOf: [
            {
              const: 'Male',
              title: 'Male',
            },
            {
              const: 'Female',
              title: 'Female',
            },
          ],
        },
        nationality_id: {
          title: 'Nationality',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'nationalities',
            url: '/api/v1/lookups/nationalities',
          },
        },
        profile_photo: {
          title: 'Profile photo',
          'x-group': 'identity',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'never',
          },
        },
        country_id: {
          title: 'Country',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'countries',
            url: '/api/v1/lookups/countries',
          },
        },
        region_id: {
          title: 'Region',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'regions',
            parent: 'country_id',
            query: 'country_id',
            url: '/api/v1/lookups/regions',
          },
        },
        city_id: {
          title: 'City',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'cities',
            parent: 'region_id',
            query: 'region_id',
            url: '/api/v1/lookups/cities',
          },
        },
        longitude: {
          title: 'Longitude',
          'x-group': 'location',
          type: 'number',
          minimum: -180,
          maximum: 180,
        },
        latitude: {
          title: 'Latitude',
          'x-group': 'location',
          type: 'number',
          minimum: -90,
          maximum: 90,
        },
        type: {
          title: 'User type',
          'x-group': 'company',
          type: 'integer',
          oneOf: [
            {
              const: 1,
              title: 'Individual',
            },
            {
              const: 2,
              title: 'Establishment',
            },
            {
              const: 3,
              title: 'Company',
            },
            {
              const: 4,
              title: 'Government body',
            },
            {
              const: 5,
              title: 'Authority',
            },
          ],
        },
      },
      additionalProperties: false,
      'x-groups': [
        {
          name: 'account',
          title: 'Account',
        },
        {
          name: 'identity',
          title: 'Personal details',
        },
        {
          name: 'location',
          title: 'Location',
        },
        {
          name: 'company',
          title: 'Company',
        },
      ],
      'x-ignored-fields': [
        'about',
        'accurate_specialty',
        'company_licences_no',
        'company_license_file',
        'company_name',
        'cv_file',
        'day',
        'degree',
        'degree_certificate',
        'deletion_due_at',
        'email_verified',
        'first_name',
        'fourth_name',
        'functional_cases',
        'general_specialty',
        'id',
        'identity_type',
        'languages',
        'license_no',
        'logo',
        'month',
        'national_id',
        'national_id_image',
        'other_degree',
        'pending_email',
        'phone_verified',
        'profile_complete',
        'review_reason',
        'review_status',
        'second_name',
        'sections',
        'third_name',
        'year',
      ],
      'x-messages': {
        required: 'This field is required.',
        unknown_field: 'This field is unknown.',
        wrong_type: 'This value has the wrong type.',
        wrong_format: 'This value has the wrong format.',
        not_allowed: 'This value is not allowed.',
        repeated: 'A value is repeated.',
        unknown_id: 'This option does not exist.',
        wrong_parent: 'This option does not belong to the option selected before it.',
        file_type_not_allowed: 'Accepted: still JPEG, PNG and WebP images, and PDF for documents.',
        'too_long.254': 'This must have at most 254 characters.',
        'too_long.16': 'This must have at most 16 characters.',
        'too_short.3': 'This must have at least 3 characters.',
        'too_long.32': 'This must have at most 32 characters.',
        'too_short.6': 'This must have at least 6 characters.',
        'too_short.8': 'This must have at least 8 characters.',
        'too_long.256': 'This must have at most 256 characters.',
        'too_long.160': 'This must have at most 160 characters.',
        'too_small.1': 'This must be at least 1.',
        'too_large.2147483647': 'This must be at most 2147483647.',
        'file_too_large.5': 'The file must not exceed 5 MB.',
        'too_small.-180': 'This must be at least -180.',
        'too_large.180': 'This must be at most 180.',
        'too_small.-90': 'This must be at least -90.',
        'too_large.90': 'This must be at most 90.',
      },
    },
  },
  lawyer: {
    ar: {
      type: 'object',
      required: [
        'account_type',
        'email',
        'phone',
        'phone_code',
        'country_id',
        'region_id',
        'city_id',
        'nationality_id',
        'type',
        'gender',
        'longitude',
        'latitude',
        'first_name',
        'second_name',
        'fourth_name',
        'about',
        'national_id',
        'identity_type',
        'day',
        'month',
        'year',
        'degree',
        'general_specialty',
        'accurate_specialty',
        'functional_cases',
        'languages',
      ],
      properties: {
        account_type: {
          title: 'نوع الحساب',
          'x-group': 'account',
          type: 'string',
          const: 'lawyer',
        },
        email: {
          title: 'البريد الإلكتروني',
          'x-group': 'account',
          type: 'string',
          maxLength: 254,
          pattern:
            "^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?![^@]{65})[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+(?:\\.[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+)*@(?:[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?\\.)+[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$",
          format: 'email',
        },
        phone_code: {
          title: 'رمز الدولة',
          description: 'مثل 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 1,
          maxLength: 16,
          pattern:
            '^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?:[+＋]|00|٠٠|۰۰|００)?(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[0-9٠-٩۰-۹０-９]){1,4}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$',
        },
        phone: {
          title: 'رقم الجوال',
          'x-group': 'account',
          type: 'string',
          minLength: 3,
          maxLength: 32,
          pattern:
            '^[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*(?:[Tt][Ee][Ll]:)?[+＋]?[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９][0-9٠-٩۰-۹０-９().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        otp: {
          title: 'رمز التحقق',
          description: 'مطلوب عند تغيير الرقم إذا كان رمز الدولة 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 6,
          maxLength: 32,
          pattern:
            '^(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９]){6}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        password: {
          title: 'كلمة المرور الجديدة',
          description: 'اتركها للإبقاء على كلمة المرور الحالية.',
          'x-group': 'account',
          type: 'string',
          minLength: 8,
          maxLength: 256,
          pattern:
            '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*$',
          format: 'password',
        },
        first_name: {
          title: 'الاسم الأول',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 50,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        second_name: {
          title: 'الاسم الثاني',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 50,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        third_name: {
          title: 'الاسم الثالث',
          'x-group': 'identity',
          type: 'string',
          maxLength: 50,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        fourth_name: {
          title: 'الاسم الرابع',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 50,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        gender: {
          title: 'الجنس',
          'x-group': 'identity',
          type: 'string',
          oneOf: [
            {
              const: 'Male',
              title: 'ذكر',
            },
            {
              const: 'Female',
              title: 'أنثى',
            },
          ],
        },
        nationality_id: {
          title: 'الجنسية',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'nationalities',
            url: '/api/v1/lookups/nationalities',
          },
        },
        identity_type: {
          title: 'نوع الهوية',
          'x-group': 'identity',
          type: 'integer',
          oneOf: [
            {
              const: 1,
              title: 'هوية وطنية',
            },
            {
              const: 2,
              title: 'جواز سفر',
            },
            {
              const: 3,
              title: 'هوية مقيم',
            },
          ],
        },
        national_id: {
          title: 'رقم الهوية',
          'x-group': 'identity',
          type: 'string',
          minLength: 5,
          maxLength: 20,
          pattern:
            '^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９A-Za-zＡ-Ｚａ-ｚ][0-9٠-٩۰-۹０-９A-Za-zＡ-Ｚａ-ｚ\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        national_id_image: {
          title: 'صورة الهوية',
          'x-group': 'identity',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'unless_stored',
            proves: ['identity_type', 'national_id'],
          },
        },
        day: {
          title: 'يوم الميلاد',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 31,
        },
        month: {
          title: 'شهر الميلاد',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 12,
        },
        year: {
          title: 'سنة الميلاد',
          description: 'بالتاريخ الميلادي.',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1300,
          maximum: 2200,
        },
        profile_photo: {
          title: 'الصورة الشخصية',
          'x-group': 'identity',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'never',
          },
        },
        country_id: {
          title: 'الدولة',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'countries',
            url: '/api/v1/lookups/countries',
          },
        },
        region_id: {
          title: 'المنطقة',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'regions',
            parent: 'country_id',
            query: 'country_id',
            url: '/api/v1/lookups/regions',
          },
        },
        city_id: {
          title: 'المدينة',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'cities',
            parent: 'region_id',
            query: 'region_id',
            url: '/api/v1/lookups/cities',
          },
        },
        longitude: {
          title: 'خط الطول',
          'x-group': 'location',
          type: 'number',
          minimum: -180,
          maximum: 180,
        },
        latitude: {
          title: 'خط العرض',
          'x-group': 'location',
          type: 'number',
          minimum: -90,
          maximum: 90,
        },
        degree: {
          title: 'المؤهل العلمي',
          'x-group': 'qualification',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'degrees',
            url: '/api/v1/lookups/degrees',
          },
        },
        other_degree: {
          title: 'اسم المؤهل',
          'x-group': 'qualification',
          type: 'string',
          maxLength: 100,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        degree_certificate: {
          title: 'شهادة المؤهل',
          'x-group': 'qualification',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
            megabytes: 10,
            required: 'unless_stored',
            proves: ['degree'],
            if: {
              field: 'degree',
              values: [],
            },
          },
        },
        general_specialty: {
          title: 'التخصص العام',
          'x-group': 'qualification',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'general-specialties',
            url: '/api/v1/lookups/general-specialties',
          },
        },
        accurate_specialty: {
          title: 'التخصص الدقيق',
          'x-group': 'qualification',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'accurate-specialties',
            parent: 'general_specialty',
            query: 'general_specialty_id',
            url: '/api/v1/lookups/accurate-specialties',
          },
        },
        languages: {
          title: 'اللغات',
          'x-group': 'qualification',
          type: 'array',
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          items: {
            type: 'integer',
            minimum: 1,
            maximum: 2147483647,
          },
          'x-lookup': {
            set: 'languages',
            url: '/api/v1/lookups/languages',
          },
        },
        cv_file: {
          title: 'السيرة الذاتية',
          'x-group': 'qualification',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
            megabytes: 10,
            required: 'never',
          },
        },
        about: {
          title: 'نبذة عنك',
          'x-group': 'practice',
          type: 'string',
          minLength: 1,
          maxLength: 2000,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        functional_cases: {
          title: 'الحالة الوظيفية',
          'x-group': 'practice',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'functional-cases',
            url: '/api/v1/lookups/functional-cases',
          },
        },
        sections: {
          title: 'أقسام الدليل الرقمي',
          'x-group': 'practice',
          type: 'array',
          minItems: 0,
          maxItems: 50,
          uniqueItems: true,
          items: {
            type: 'integer',
            minimum: 1,
            maximum: 2147483647,
          },
          'x-lookup': {
            set: 'digital-guide-categories',
            members: 'sections',
            url: '/api/v1/lookups/digital-guide-categories',
          },
          'x-clearable': true,
        },
        license_no: {
          title: 'أرقام التراخيص',
          description: 'رقم لكل قسم.',
          'x-group': 'practice',
          type: 'object',
          maxProperties: 50,
          propertyNames: {
            pattern: '^[1-9][0-9]{0,9}$',
          },
          additionalProperties: {
            type: 'string',
            minLength: 1,
            maxLength: 50,
            pattern:
              '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
            'x-visible': true,
          },
          'x-keys': 'sections',
          'x-clearable': true,
        },
        type: {
          title: 'نوع المستخدم',
          'x-group': 'company',
          type: 'integer',
          oneOf: [
            {
              const: 1,
              title: 'فرد',
            },
            {
              const: 2,
              title: 'مؤسسة',
            },
            {
              const: 3,
              title: 'شركة',
            },
            {
              const: 4,
              title: 'جهة حكومية',
            },
            {
              const: 5,
              title: 'هيئة',
            },
          ],
        },
        company_name: {
          title: 'اسم الشركة أو الجهة',
          'x-group': 'company',
          type: 'string',
          maxLength: 160,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        company_licences_no: {
          title: 'رقم ترخيص الشركة',
          'x-group': 'company',
          type: 'string',
          maxLength: 50,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        company_license_file: {
          title: 'ترخيص الشركة',
          'x-group': 'company',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
            megabytes: 10,
            required: 'unless_stored',
            proves: ['type', 'company_licences_no'],
            if: {
              field: 'type',
              values: [2, 3],
            },
          },
        },
        logo: {
          title: 'الشعار',
          'x-group': 'company',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'never',
          },
        },
      },
      additionalProperties: false,
      allOf: [
        {
          if: {
            required: ['year'],
            properties: {
              year: {
                maximum: 1500,
              },
            },
          },
          then: {
            required: [],
            properties: {
              year: {
                minimum: 1501,
                'x-code': 'date_not_gregorian',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                enum: [4, 6, 9, 11],
              },
              year: {
                minimum: 1501,
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 30,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                const: 2,
              },
              year: {
                minimum: 1501,
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 29,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                const: 2,
              },
              year: {
                minimum: 1501,
                not: {
                  multipleOf: 4,
                },
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 28,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                const: 2,
              },
              year: {
                enum: [1700, 1800, 1900, 2100, 2200],
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 28,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['degree'],
            properties: {
              degree: {
                const: 4,
              },
            },
          },
          then: {
            required: ['other_degree'],
            properties: {
              other_degree: {
                minLength: 1,
              },
            },
          },
        },
        {
          if: {
            required: ['sections'],
            properties: {
              sections: {
                minItems: 1,
              },
            },
          },
          then: {
            required: ['license_no'],
            properties: {},
          },
        },
        {
          if: {
            required: ['type'],
            properties: {
              type: {
                enum: [2, 3, 4, 5],
              },
            },
          },
          then: {
            required: ['company_name'],
            properties: {
              company_name: {
                minLength: 1,
              },
            },
          },
        },
        {
          if: {
            required: ['type'],
            properties: {
              type: {
                enum: [2, 3],
              },
            },
          },
          then: {
            required: ['company_licences_no'],
            properties: {
              company_licences_no: {
                minLength: 1,
              },
            },
          },
        },
      ],
      'x-groups': [
        {
          name: 'account',
          title: 'الحساب',
        },
        {
          name: 'identity',
          title: 'البيانات الشخصية',
        },
        {
          name: 'location',
          title: 'الموقع',
        },
        {
          name: 'qualification',
          title: 'المؤهلات',
        },
        {
          name: 'practice',
          title: 'الممارسة المهنية',
        },
        {
          name: 'company',
          title: 'الشركة',
        },
      ],
      'x-ignored-fields': [
        'deletion_due_at',
        'email_verified',
        'id',
        'name',
        'pending_email',
        'phone_verified',
        'profile_complete',
        'review_reason',
        'review_status',
      ],
      'x-birth-date': {
        day: 'day',
        month: 'month',
        year: 'year',
        years_min: 18,
        years_max: 120,
      },
      'x-messages': {
        required: 'هذا الحقل مطلوب.',
        unknown_field: 'هذا الحقل غير معروف.',
        wrong_type: 'نوع هذه القيمة غير صحيح.',
        wrong_format: 'صيغة هذه القيمة غير صحيحة.',
        not_allowed: 'هذه القيمة غير مسموح بها.',
        repeated: 'توجد قيمة مكررة.',
        unknown_id: 'هذا الخيار غير موجود.',
        wrong_parent: 'هذا الخيار لا يتبع الخيار الذي قبله.',
        file_type_not_allowed: 'الأنواع المقبولة: JPEG وPNG وWebP ثابتة، وPDF للمستندات.',
        date_not_gregorian: 'استخدم التاريخ الميلادي.',
        date_unreal: 'هذا التاريخ غير موجود.',
        'too_long.254': 'يجب ألا يزيد عدد الأحرف على 254.',
        'too_long.16': 'يجب ألا يزيد عدد الأحرف على 16.',
        'too_short.3': 'يجب ألا يقل عدد الأحرف عن 3.',
        'too_long.32': 'يجب ألا يزيد عدد الأحرف على 32.',
        'too_short.6': 'يجب ألا يقل عدد الأحرف عن 6.',
        'too_short.8': 'يجب ألا يقل عدد الأحرف عن 8.',
        'too_long.256': 'يجب ألا يزيد عدد الأحرف على 256.',
        'too_long.50': 'يجب ألا يزيد عدد الأحرف على 50.',
        'too_small.1': 'يجب ألا تقل القيمة عن 1.',
        'too_large.2147483647': 'يجب ألا تزيد القيمة على 2147483647.',
        'too_short.5': 'يجب ألا يقل عدد الأحرف عن 5.',
        'too_long.20': 'يجب ألا يزيد عدد الأحرف على 20.',
        'file_too_large.5': 'يجب ألا يزيد حجم الملف على 5 ميغابايت.',
        'too_large.31': 'يجب ألا تزيد القيمة على 31.',
        'too_large.12': 'يجب ألا تزيد القيمة على 12.',
        'too_small.1300': 'يجب ألا تقل القيمة عن 1300.',
        'too_large.2200': 'يجب ألا تزيد القيمة على 2200.',
        'too_small.-180': 'يجب ألا تقل القيمة عن -180.',
        'too_large.180': 'يجب ألا تزيد القيمة على 180.',
        'too_small.-90': 'يجب ألا تقل القيمة عن -90.',
        'too_large.90': 'يجب ألا تزيد القيمة على 90.',
        'too_long.100': 'يجب ألا يزيد عدد الأحرف على 100.',
        'file_too_large.10': 'يجب ألا يزيد حجم الملف على 10 ميغابايت.',
        'too_few.1': 'يجب ألا يقل عدد القيم عن 1.',
        'too_many.50': 'يجب ألا يزيد عدد القيم على 50.',
        'too_long.2000': 'يجب ألا يزيد عدد الأحرف على 2000.',
        'too_long.160': 'يجب ألا يزيد عدد الأحرف على 160.',
        age_not_allowed: 'يجب أن يكون العمر بين 18 و120 سنة.',
      },
    },
    en: {
      type: 'object',
      required: [
        'account_type',
        'email',
        'phone',
        'phone_code',
        'country_id',
        'region_id',
        'city_id',
        'nationality_id',
        'type',
        'gender',
        'longitude',
        'latitude',
        'first_name',
        'second_name',
        'fourth_name',
        'about',
        'national_id',
        'identity_type',
        'day',
        'month',
        'year',
        'degree',
        'general_specialty',
        'accurate_specialty',
        'functional_cases',
        'languages',
      ],
      properties: {
        account_type: {
          title: 'Account type',
          'x-group': 'account',
          type: 'string',
          const: 'lawyer',
        },
        email: {
          title: 'E-mail address',
          'x-group': 'account',
          type: 'string',
          maxLength: 254,
          pattern:
            "^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?![^@]{65})[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+(?:\\.[\\w!#$%&'*+/=?^\\x60{|}~\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF-]+)*@(?:[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?\\.)+[a-zA-Z0-9\\u00A1-\\uFFEF](?:[a-zA-Z0-9\\u00A1-\\uFFEF-]{0,61}[a-zA-Z0-9\\u00A1-\\uFFEF])?[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$",
          format: 'email',
        },
        phone_code: {
          title: 'Country code',
          description: 'For example 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 1,
          maxLength: 16,
          pattern:
            '^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*(?:[+＋]|00|٠٠|۰۰|００)?(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[0-9٠-٩۰-۹０-９]){1,4}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*$',
        },
        phone: {
          title: 'Phone number',
          'x-group': 'account',
          type: 'string',
          minLength: 3,
          maxLength: 32,
          pattern:
            '^[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*(?:[Tt][Ee][Ll]:)?[+＋]?[().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９][0-9٠-٩۰-۹０-９().\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        otp: {
          title: 'Verification code',
          description: 'Required if the number changes and the country code is 966.',
          'x-group': 'account',
          type: 'string',
          minLength: 6,
          maxLength: 32,
          pattern:
            '^(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９]){6}[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        password: {
          title: 'New password',
          description: 'Leave it out to keep the current password.',
          'x-group': 'account',
          type: 'string',
          minLength: 8,
          maxLength: 256,
          pattern:
            '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*$',
          format: 'password',
        },
        first_name: {
          title: 'First name',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 50,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        second_name: {
          title: 'Second name',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 50,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        third_name: {
          title: 'Third name',
          'x-group': 'identity',
          type: 'string',
          maxLength: 50,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        fourth_name: {
          title: 'Fourth name',
          'x-group': 'identity',
          type: 'string',
          minLength: 1,
          maxLength: 50,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        gender: {
          title: 'Gender',
          'x-group': 'identity',
          type: 'string',
          oneOf: [
            {
              const: 'Male',
              title: 'Male',
            },
            {
              const: 'Female',
              title: 'Female',
            },
          ],
        },
        nationality_id: {
          title: 'Nationality',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'nationalities',
            url: '/api/v1/lookups/nationalities',
          },
        },
        identity_type: {
          title: 'Identity document',
          'x-group': 'identity',
          type: 'integer',
          oneOf: [
            {
              const: 1,
              title: 'National ID',
            },
            {
              const: 2,
              title: 'Passport',
            },
            {
              const: 3,
              title: 'Resident ID',
            },
          ],
        },
        national_id: {
          title: 'Identity number',
          'x-group': 'identity',
          type: 'string',
          minLength: 5,
          maxLength: 20,
          pattern:
            '^[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*[0-9٠-٩۰-۹０-９A-Za-zＡ-Ｚａ-ｚ][0-9٠-٩۰-۹０-９A-Za-zＡ-Ｚａ-ｚ\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF\\u2010-\\u2015\\u2212-]*$',
        },
        national_id_image: {
          title: 'Image of the identity document',
          'x-group': 'identity',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'unless_stored',
            proves: ['identity_type', 'national_id'],
          },
        },
        day: {
          title: 'Day of birth',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 31,
        },
        month: {
          title: 'Month of birth',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1,
          maximum: 12,
        },
        year: {
          title: 'Year of birth',
          description: 'Gregorian calendar.',
          'x-group': 'identity',
          type: 'integer',
          minimum: 1300,
          maximum: 2200,
        },
        profile_photo: {
          title: 'Profile photo',
          'x-group': 'identity',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'never',
          },
        },
        country_id: {
          title: 'Country',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'countries',
            url: '/api/v1/lookups/countries',
          },
        },
        region_id: {
          title: 'Region',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'regions',
            parent: 'country_id',
            query: 'country_id',
            url: '/api/v1/lookups/regions',
          },
        },
        city_id: {
          title: 'City',
          'x-group': 'location',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'cities',
            parent: 'region_id',
            query: 'region_id',
            url: '/api/v1/lookups/cities',
          },
        },
        longitude: {
          title: 'Longitude',
          'x-group': 'location',
          type: 'number',
          minimum: -180,
          maximum: 180,
        },
        latitude: {
          title: 'Latitude',
          'x-group': 'location',
          type: 'number',
          minimum: -90,
          maximum: 90,
        },
        degree: {
          title: 'Degree',
          'x-group': 'qualification',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'degrees',
            url: '/api/v1/lookups/degrees',
          },
        },
        other_degree: {
          title: 'Name of the degree',
          'x-group': 'qualification',
          type: 'string',
          maxLength: 100,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        degree_certificate: {
          title: 'Degree certificate',
          'x-group': 'qualification',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
            megabytes: 10,
            required: 'unless_stored',
            proves: ['degree'],
            if: {
              field: 'degree',
              values: [],
            },
          },
        },
        general_specialty: {
          title: 'General specialty',
          'x-group': 'qualification',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'general-specialties',
            url: '/api/v1/lookups/general-specialties',
          },
        },
        accurate_specialty: {
          title: 'Specialty',
          'x-group': 'qualification',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'accurate-specialties',
            parent: 'general_specialty',
            query: 'general_specialty_id',
            url: '/api/v1/lookups/accurate-specialties',
          },
        },
        languages: {
          title: 'Languages',
          'x-group': 'qualification',
          type: 'array',
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          items: {
            type: 'integer',
            minimum: 1,
            maximum: 2147483647,
          },
          'x-lookup': {
            set: 'languages',
            url: '/api/v1/lookups/languages',
          },
        },
        cv_file: {
          title: 'CV',
          'x-group': 'qualification',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
            megabytes: 10,
            required: 'never',
          },
        },
        about: {
          title: 'About you',
          'x-group': 'practice',
          type: 'string',
          minLength: 1,
          maxLength: 2000,
          pattern:
            '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
        },
        functional_cases: {
          title: 'Employment status',
          'x-group': 'practice',
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          'x-lookup': {
            set: 'functional-cases',
            url: '/api/v1/lookups/functional-cases',
          },
        },
        sections: {
          title: 'Sections of the digital guide',
          'x-group': 'practice',
          type: 'array',
          minItems: 0,
          maxItems: 50,
          uniqueItems: true,
          items: {
            type: 'integer',
            minimum: 1,
            maximum: 2147483647,
          },
          'x-lookup': {
            set: 'digital-guide-categories',
            members: 'sections',
            url: '/api/v1/lookups/digital-guide-categories',
          },
          'x-clearable': true,
        },
        license_no: {
          title: 'Licence numbers',
          description: 'One number for each section.',
          'x-group': 'practice',
          type: 'object',
          maxProperties: 50,
          propertyNames: {
            pattern: '^[1-9][0-9]{0,9}$',
          },
          additionalProperties: {
            type: 'string',
            minLength: 1,
            maxLength: 50,
            pattern:
              '^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
            'x-visible': true,
          },
          'x-keys': 'sections',
          'x-clearable': true,
        },
        type: {
          title: 'User type',
          'x-group': 'company',
          type: 'integer',
          oneOf: [
            {
              const: 1,
              title: 'Individual',
            },
            {
              const: 2,
              title: 'Establishment',
            },
            {
              const: 3,
              title: 'Company',
            },
            {
              const: 4,
              title: 'Government body',
            },
            {
              const: 5,
              title: 'Authority',
            },
          ],
        },
        company_name: {
          title: 'Name of the company or body',
          'x-group': 'company',
          type: 'string',
          maxLength: 160,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        company_licences_no: {
          title: 'Licence number of the company',
          'x-group': 'company',
          type: 'string',
          maxLength: 50,
          pattern:
            '^$|^(?=[\\s\\S]*[^\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\u0300-\\u036F\\u0600-\\u0605\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DD\\u06DF-\\u06E4\\u20D0-\\u20F0])(?:[\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069])?[^\\u0000-\\u001F\\u007F-\\u009F\\uFFFD\\u202A-\\u202E\\u2066-\\u2069]*(?:[\\t\\n\\r\\u202A-\\u202E\\u2066-\\u2069][\\s\\u00AD\\u061C\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F\\uFEFF]*)?$',
          'x-visible': true,
          'x-clearable': true,
        },
        company_license_file: {
          title: 'Licence of the company',
          'x-group': 'company',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
            megabytes: 10,
            required: 'unless_stored',
            proves: ['type', 'company_licences_no'],
            if: {
              field: 'type',
              values: [2, 3],
            },
          },
        },
        logo: {
          title: 'Logo',
          'x-group': 'company',
          type: 'string',
          format: 'binary',
          'x-file': {
            accept: ['image/jpeg', 'image/png', 'image/webp'],
            megabytes: 5,
            required: 'never',
          },
        },
      },
      additionalProperties: false,
      allOf: [
        {
          if: {
            required: ['year'],
            properties: {
              year: {
                maximum: 1500,
              },
            },
          },
          then: {
            required: [],
            properties: {
              year: {
                minimum: 1501,
                'x-code': 'date_not_gregorian',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                enum: [4, 6, 9, 11],
              },
              year: {
                minimum: 1501,
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 30,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                const: 2,
              },
              year: {
                minimum: 1501,
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 29,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                const: 2,
              },
              year: {
                minimum: 1501,
                not: {
                  multipleOf: 4,
                },
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 28,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['month', 'year'],
            properties: {
              month: {
                const: 2,
              },
              year: {
                enum: [1700, 1800, 1900, 2100, 2200],
              },
            },
          },
          then: {
            required: [],
            properties: {
              day: {
                maximum: 28,
                'x-code': 'date_unreal',
              },
            },
          },
        },
        {
          if: {
            required: ['degree'],
            properties: {
              degree: {
                const: 4,
              },
            },
          },
          then: {
            required: ['other_degree'],
            properties: {
              other_degree: {
                minLength: 1,
              },
            },
          },
        },
        {
          if: {
            required: ['sections'],
            properties: {
              sections: {
                minItems: 1,
              },
            },
          },
          then: {
            required: ['license_no'],
            properties: {},
          },
        },
        {
          if: {
            required: ['type'],
            properties: {
              type: {
                enum: [2, 3, 4, 5],
              },
            },
          },
          then: {
            required: ['company_name'],
            properties: {
              company_name: {
                minLength: 1,
              },
            },
          },
        },
        {
          if: {
            required: ['type'],
            properties: {
              type: {
                enum: [2, 3],
              },
            },
          },
          then: {
            required: ['company_licences_no'],
            properties: {
              company_licences_no: {
                minLength: 1,
              },
            },
          },
        },
      ],
      'x-groups': [
        {
          name: 'account',
          title: 'Account',
        },
        {
          name: 'identity',
          title: 'Personal details',
        },
        {
          name: 'location',
          title: 'Location',
        },
        {
          name: 'qualification',
          title: 'Qualifications',
        },
        {
          name: 'practice',
          title: 'Practice',
        },
        {
          name: 'company',
          title: 'Company',
        },
      ],
      'x-ignored-fields': [
        'deletion_due_at',
        'email_verified',
        'id',
        'name',
        'pending_email',
        'phone_verified',
        'profile_complete',
        'review_reason',
        'review_status',
      ],
      'x-birth-date': {
        day: 'day',
        month: 'month',
        year: 'year',
        years_min: 18,
        years_max: 120,
      },
      'x-messages': {
        required: 'This field is required.',
        unknown_field: 'This field is unknown.',
        wrong_type: 'This value has the wrong type.',
        wrong_format: 'This value has the wrong format.',
        not_allowed: 'This value is not allowed.',
        repeated: 'A value is repeated.',
        unknown_id: 'This option does not exist.',
        wrong_parent: 'This option does not belong to the option selected before it.',
        file_type_not_allowed: 'Accepted: still JPEG, PNG and WebP images, and PDF for documents.',
        date_not_gregorian: 'Use the Gregorian calendar.',
        date_unreal: 'This date does not exist.',
        'too_long.254': 'This must have at most 254 characters.',
        'too_long.16': 'This must have at most 16 characters.',
        'too_short.3': 'This must have at least 3 characters.',
        'too_long.32': 'This must have at most 32 characters.',
        'too_short.6': 'This must have at least 6 characters.',
        'too_short.8': 'This must have at least 8 characters.',
        'too_long.256': 'This must have at most 256 characters.',
        'too_long.50': 'This must have at most 50 characters.',
        'too_small.1': 'This must be at least 1.',
        'too_large.2147483647': 'This must be at most 2147483647.',
        'too_short.5': 'This must have at least 5 characters.',
        'too_long.20': 'This must have at most 20 characters.',
        'file_too_large.5': 'The file must not exceed 5 MB.',
        'too_large.31': 'This must be at most 31.',
        'too_large.12': 'This must be at most 12.',
        'too_small.1300': 'This must be at least 1300.',
        'too_large.2200': 'This must be at most 2200.',
        'too_small.-180': 'This must be at least -180.',
        'too_large.180': 'This must be at most 180.',
        'too_small.-90': 'This must be at least -90.',
        'too_large.90': 'This must be at most 90.',
        'too_long.100': 'This must have at most 100 characters.',
        'file_too_large.10': 'The file must not exceed 10 MB.',
        'too_few.1': 'Send at least 1 value.',
        'too_many.50': 'Send at most 50 values.',
        'too_long.2000': 'This must have at most 2000 characters.',
        'too_long.160': 'This must have at most 160 characters.',
        age_not_allowed: 'The age must be between 18 and 120 years.',
      },
    },
  },
}
