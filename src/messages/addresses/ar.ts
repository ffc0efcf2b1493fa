import type { AddressKey, Catalogue } from '../catalogue.ts'

/** Messages that verify an e-mail address or a phone number, and notices of a change of it or of the phone number */
export const addresses: Pick<Catalogue, AddressKey> = {
  verify_mail_subject: 'تأكيد بريدك الإلكتروني',
  verify_mail_text:
    'يرجى تأكيد أن هذا هو البريد الإلكتروني لحسابك في توثيق.\n\nرمز التحقق، وهو صالح لمدة {minutes:minute}: {code}\n\nأو استخدم هذا الرابط خلال {hours:hour}:\n\n{link}\n\nإذا لم تنشئ هذا الحساب فتجاهل هذه الرسالة ولا تستخدم الرابط.',
  new_email_mail_subject: 'تأكيد بريدك الإلكتروني الجديد',
  new_email_mail_text:
    'يرجى تأكيد أن هذا هو البريد الإلكتروني الجديد لحسابك في توثيق.\n\nرمز التحقق، وهو صالح لمدة {minutes:minute}: {code}\n\nأو استخدم هذا الرابط خلال {hours:hour}:\n\n{link}\n\nإذا لم تطلب هذا التغيير فتجاهل هذه الرسالة ولا تستخدم الرابط.',
  email_change_mail_subject: 'طلب تغيير بريدك الإلكتروني',
  email_change_mail_text:
    'تلقينا طلباً لتغيير البريد الإلكتروني لحسابك في توثيق إلى {email}. سيبقى بريدك الحالي حتى يتم تأكيد البريد الجديد.\n\nإذا لم تطلب ذلك فألغِ التغيير خلال {days:day}، ثم عيّن كلمة مرور جديدة:\n\n{link}',
  email_changed_mail_subject: 'تم تغيير بريدك الإلكتروني',
  email_changed_mail_text:
    'تم تغيير البريد الإلكتروني لحسابك في توثيق إلى {email}.\n\nإذا لم تغيّره أنت فتراجع عن التغيير خلال {days:day}:\n\n{undo}\n\nإذا كنت أنت من غيّره فلا يلزمك أي إجراء. سيمكن تعيين كلمة مرور جديدة من البريد الجديد بعد {hours:hour}. للسماح بذلك فوراً استخدم هذا الرابط:\n\n{consent}',
  phone_mail_subject: 'تم تغيير رقم جوالك',
  phone_mail_text:
    'تم تغيير رقم الجوال لحسابك في توثيق إلى {phone}. إذا لم تغيّره أنت فعيّن كلمة مرور جديدة فوراً وتواصل معنا.',
  email_released_text:
    'توثيق: تمت إزالة بريدك الإلكتروني من حسابك لأن صاحبه لم يتعرف على الحساب. أدخل بريداً آخر في ملفك الشخصي.',
  email_sms: 'توثيق: تم تغيير البريد الإلكتروني لحسابك. إن لم تغيّره فتواصل معنا.',
  phone_sms: 'توثيق: تم تغيير رقم الجوال لحسابك. إن لم تغيّره فتواصل معنا.',
}
