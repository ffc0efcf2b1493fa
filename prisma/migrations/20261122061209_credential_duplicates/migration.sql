-- Other accounts with the same national ID or licence number are looked up by these expressions (src/store/duplicates.ts).
-- CreateIndex
CREATE INDEX "lawyer_profiles_duplicates_idx" ON "lawyer_profiles"(upper("national_id"), "account_id");

-- CreateIndex
CREATE INDEX "lawyer_licences_duplicates_idx" ON "lawyer_licences"("section_id", upper(translate("licence_no", '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹ ', '01234567890123456789')), "account_id");
