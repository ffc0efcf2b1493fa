import type { AddressKey, Catalogue } from '../index.ts'

/** Messages that verify an e-mail address, and that announce a change of it or of the phone number */
export const addresses: Pick<Catalogue, AddressKey> = {
  verify_mail_subject: 'تأكيد بريدك الإلكتروني',
  verify_mail_text:
    'يرجى تأكيد أن هذا هو البريد الإلكتروني لحسابك في توثيق.\n\nرمز التحقق، وهو صالح لمدة {minutes} دقيقة: {code}\n\nأو استخدم هذا الرابط خلال {hours} ساعة:\n\n{link}\n\nإذا لم تنشئ هذا الحساب فتجاهل هذه الرسالة ولا تستخدم الرابط.',
  new_email_mail_subject: 'تأكيد بريدك الإلكتروني الجديد',
  new_email_mail_text:
    'يرجى تأكيد أن هذا هو البريد الإلكتروني الجديد لحسابك في توثيق.\n\nرمز التحقق، وهو صالح لمدة {minutes} دقيقة: {code}\n\nأو استخدم هذا الرابط خلال {hours} ساعة:\n\n{link}\n\nإذا لم تطلب هذا التغيير فتجاهل هذه الرسالة ولا تستخدم الرابط.',
  email_change_mail_subject: 'طلب تغيير بريدك الإلكتروني',
  email_change_mail_text:
    'طُلب تغيير البريد الإلكتروني لحسابك في توثيق إلى {email}. سيبقى بريدك الحالي حتى يتم تأكيد البريد الجديد.\n\nإذا لم تكن أنت من طلب ذلك فألغِ التغيير خلال {days} أيام، ثم عيّن كلمة مرور جديدة:\n\n{link}',
  email_changed_mail_subject: 'تم تغيير بريدك الإلكتروني',
  email_changed_mail_text:
    'أصبح البريد الإلكتروني لحسابك في توثيق {email}.\n\nإذا لم تكن أنت من غيّره فتراجع عن التغيير خلال {days} أيام:\n\n{undo}\n\nإذا كنت أنت من غيّره فلا يلزمك شيء. سيمكن تعيين كلمة مرور جديدة من البريد الجديد بعد {hours} ساعة. للسماح بذلك حالاً استخدم هذا الرابط:\n\n{consent}',
  phone_mail_subject: 'تم تغيير رقم جوالك',
  phone_mail_text: 'أصبح رقم الجوال لحسابك في توثيق {phone}. إذا لم تكن أنت من غيّره فعيّن كلمة مرور جديدة حالاً وأخبرنا.',
  email_sms: 'توثيق: تغيّر البريد الإلكتروني لحسابك. إن لم تغيّره فأخبرنا.',
  phone_sms: 'توثيق: تغيّر رقم الجوال لحسابك. إن لم تغيّره فأخبرنا.',
}
